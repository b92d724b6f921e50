"use client";

import { useState } from "react";
import { mergeShown, type Shown } from "./shown-rows";

/**
 * Keeps a list still while it is asked for again and again. `acceptKey` names what the reader asked for, such as the
 * filter and the number of pages: when it changes, everything is let in.
 */
export function useShownRows<Row extends { id: string }>(
  fresh: readonly Row[],
  acceptKey: string,
): { rows: Shown<Row>[]; newCount: number; accept: () => void } {
  const [accepted, setAccepted] = useState({ key: acceptKey, rows: fresh });
  // Where nothing is shown, nothing can move.
  const isStale = accepted.key !== acceptKey || (accepted.rows.length === 0 && fresh.length > 0);
  const current = isStale ? { key: acceptKey, rows: fresh } : accepted;
  if (isStale) setAccepted(current);
  return {
    ...mergeShown(current.rows, fresh),
    accept: () => setAccepted({ key: acceptKey, rows: fresh }),
  };
}

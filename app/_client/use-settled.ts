"use client";

import { useEffect, useState } from "react";

const settleMs = 300;

/** What was typed, once it stands still: fit to be asked of the server. An empty field counts at once. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), typed === "" ? 0 : settleMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

"use client";

import { useCallback, useEffect, useState } from "react";

/** A place in the log to go to: an event, and in its output the line that holds a text. */
export interface LogTarget {
  seq: number;
  text: string;
}

/** The place that the address names, as `#e12`, or that was asked for since. Asking again goes there again. */
export function useLogTarget(): { target: LogTarget | null; goTo: (target: LogTarget) => void } {
  const [target, setTarget] = useState<LogTarget | null>(null);
  useEffect(() => {
    const read = () => {
      const seq = /^#e(\d{1,9})$/.exec(window.location.hash)?.[1];
      if (seq !== undefined) setTarget({ seq: Number(seq), text: "" });
    };
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  const goTo = useCallback((next: LogTarget) => {
    // Without the event that a link would cause: it knows no text.
    window.history.replaceState(window.history.state, "", `#e${next.seq}`);
    setTarget(next);
  }, []);
  return { target, goTo };
}

"use client";

import { useLiveState } from "@/app/_client/live-updates";
import { cn } from "@/app/_ui/class-names";
import { exactTimeWords } from "@/app/_ui/relative-time-words";

const looks = {
  live: { word: "Live", dot: "bg-good", hint: "What happens is shown at once" },
  connecting: {
    word: "Connecting",
    dot: "bg-muted",
    hint: "What happens is shown as soon as the server answers",
  },
  lost: { word: "Not live", dot: "bg-warn", hint: "The connection is lost" },
};

/** Whether the page follows what happens. */
export function LiveMark() {
  const { status } = useLiveState();
  const { word, dot, hint } = looks[status];
  return (
    <span title={hint} className="inline-flex items-center gap-1.5 px-1 text-xs whitespace-nowrap text-muted">
      <span aria-hidden="true" className={cn("size-2 rounded-full", dot)} />
      {word}
    </span>
  );
}

/** Over the page and not in it, so that nothing moves when the connection comes and goes. */
export function LostNote() {
  const { status, since } = useLiveState();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-3 z-40 flex justify-center px-3">
      {status === "lost" && since !== null ? (
        <p className="rounded-md border border-warn bg-warn-soft px-3 py-1.5 text-xs text-warn shadow-pop">
          Connection lost: this is what was known at {exactTimeWords(since).slice(11)}. Trying again.
        </p>
      ) : null}
    </div>
  );
}

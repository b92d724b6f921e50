"use client";

import type { ReviewModel } from "./use-review";

/** How far the reading is. */
export function ReviewCounts({ model: { changeSet, source, parts } }: { model: ReviewModel }) {
  const total = source.files.length;
  const viewed = source.files.filter((file) => parts.isViewed(file.path)).length;
  const { threads, unresolved } = changeSet.counts;
  return (
    <>
      {total === 0 ? null : (
        <span className="tabular-nums">
          {viewed.toLocaleString("en-US")} of {total.toLocaleString("en-US")} viewed
        </span>
      )}
      {threads === 0 ? null : (
        <span className={unresolved > 0 ? "text-accent tabular-nums" : "tabular-nums"}>
          {unresolved} of {threads} {threads === 1 ? "thread" : "threads"} unresolved
        </span>
      )}
    </>
  );
}

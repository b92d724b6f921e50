"use client";

import type { ReviewModel } from "./use-review";

/** How far the reading is. */
export function ReviewCounts({ model: { source, parts } }: { model: ReviewModel }) {
  const total = source.files.length;
  const viewed = source.files.filter((file) => parts.isViewed(file.path)).length;
  return total === 0 ? null : (
    <span className="tabular-nums">
      {viewed.toLocaleString("en-US")} of {total.toLocaleString("en-US")} viewed
    </span>
  );
}

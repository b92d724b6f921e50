"use client";

import { CircleCheck, CircleX, MessageSquare, MessageSquarePlus, OctagonAlert } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { CommentEditor } from "./comment-editor";
import { useReviewState } from "./review-context";
import { ThreadView } from "./thread-view";
import type { ChangeSetView, Thread, Verdict } from "./types";

interface RemarksProps {
  /** Those about the whole ChangeSet, and those whose file is not on the page. */
  threads: readonly Thread[];
  draftIds: readonly string[];
}

/** What was decided so far, and what is said about the whole. It stands above the first file. */
export function Remarks({ threads, draftIds }: RemarksProps) {
  const { changeSet, begin } = useReviewState();
  return (
    <section aria-label="Reviews" className="flex flex-col gap-2">
      {changeSet.reviews.length === 0 ? null : (
        <ol className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
          {changeSet.reviews.map((review) => (
            <ReviewRow key={review.id} review={review} current={changeSet.version} />
          ))}
        </ol>
      )}
      {threads.map((thread) => (
        <ThreadView key={thread.id} thread={thread} isAtItsLines={thread.anchor === null} />
      ))}
      {draftIds.map((id) => (
        <CommentEditor key={id} draftId={id} />
      ))}
      <div>
        <Button size="sm" onClick={() => begin(null)}>
          <MessageSquarePlus aria-hidden="true" />
          Comment on the whole ChangeSet
        </Button>
      </div>
    </section>
  );
}

const verdicts: Record<Verdict, { words: string; icon: typeof CircleX; looks: string }> = {
  approve: { words: "approved", icon: CircleCheck, looks: "text-good" },
  request_changes: { words: "requested changes on", icon: OctagonAlert, looks: "text-warn" },
  reject: { words: "rejected", icon: CircleX, looks: "text-bad" },
  comment: { words: "commented on", icon: MessageSquare, looks: "text-muted" },
};

function ReviewRow({ review, current }: { review: ChangeSetView["reviews"][number]; current: number }) {
  const { words, icon: Icon, looks } = verdicts[review.verdict];
  return (
    <li className="px-3 py-1.5">
      <p className="flex flex-wrap items-center gap-x-1.5">
        <Icon className={`size-4 shrink-0 ${looks}`} aria-hidden="true" />
        <UntrustedText text={review.actor.name} className="font-medium" />
        <span>
          {words} version {review.version}
        </span>
        {review.version === current ? null : <span className="text-xs text-muted">not this one</span>}
        <span className="ml-auto text-xs text-muted">
          <RelativeTime at={review.at} />
        </span>
      </p>
      {review.summary.trim() === "" ? null : (
        <UntrustedText text={review.summary} multiline className="mt-0.5 ml-5.5 max-w-[90ch]" />
      )}
    </li>
  );
}

"use client";

import { GitMerge, History, MessagesSquare } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { IconButton } from "@/app/_ui/icon-button";
import { FinishReview } from "./finish-review";
import { HistoryTab } from "./history-tab";
import { MergePanel } from "./merge-panel";
import { isUnresolved } from "./notes-of";
import { useReviewState } from "./review-context";
import { isApproved, isReviewable } from "./review-states";
import { ThreadList } from "./thread-list";
import { useDrafts } from "./use-draft-book";

/** What is laid over the page. */
export type Overlay = "finish" | "merge" | "threads" | "history";

interface ReviewActionsProps {
  overlay: Overlay | null;
  onOverlay: (overlay: Overlay | null) => void;
}

/** The acts of the review's bar: the main one by state, and ways to all threads and to the history. */
export function ReviewActions({ overlay, onOverlay }: ReviewActionsProps) {
  const { changeSet, threads, book } = useReviewState();
  const { state } = changeSet;
  const draftCount = useDrafts(book).filter(
    ({ target, body }) => target.type !== "review" && body.trim() !== "",
  ).length;
  const canMerge = isApproved(state);
  const toggle = (which: Overlay) => (isOpen: boolean) => onOverlay(isOpen ? which : null);
  const unresolved = threads.filter(isUnresolved).length;
  return (
    <>
      <IconButton
        label={unresolved === 0 ? "All threads" : `All threads, ${unresolved} unresolved`}
        icon={MessagesSquare}
        onClick={() => onOverlay("threads")}
      />
      <IconButton label="History" icon={History} onClick={() => onOverlay("history")} />
      {isReviewable(state) ? (
        <Button variant={canMerge ? "default" : "primary"} onClick={() => onOverlay("finish")}>
          {canMerge ? "Review again" : "Finish review"}
          {draftCount === 0 ? null : (
            <span className="tabular-nums">
              · {draftCount} {draftCount === 1 ? "draft" : "drafts"}
            </span>
          )}
        </Button>
      ) : null}
      {canMerge || state === "merged" ? (
        <Button variant={canMerge ? "primary" : "default"} onClick={() => onOverlay("merge")}>
          <GitMerge aria-hidden="true" />
          {canMerge ? "Merge" : "Merged"}
        </Button>
      ) : null}
      <FinishReview open={overlay === "finish"} onOpenChange={toggle("finish")} />
      <MergePanel open={overlay === "merge"} onOpenChange={toggle("merge")} />
      <ThreadList open={overlay === "threads"} onOpenChange={toggle("threads")} />
      <HistoryTab open={overlay === "history"} onOpenChange={toggle("history")} />
    </>
  );
}

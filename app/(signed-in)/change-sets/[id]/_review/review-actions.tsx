"use client";

import { GitMerge, History, MessagesSquare } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { IconButton } from "@/app/_ui/icon-button";
import { FinishReview } from "./finish-review";
import { HistoryTab } from "./history-tab";
import { MergePanel } from "./merge-panel";
import { isUnresolved } from "./notes-of";
import { useReviewState } from "./review-context";
import { ThreadList } from "./thread-list";
import type { ChangeSetView } from "./types";
import { useDrafts } from "./use-draft-book";

/** What is laid over the page. */
export type Overlay = "finish" | "merge" | "threads" | "history";

interface ReviewActionsProps {
  overlay: Overlay | null;
  onOverlay: (overlay: Overlay | null) => void;
}

const open: readonly ChangeSetView["state"][] = [
  "proposed",
  "changes_requested",
  "approved",
  "mergeable",
  "merge_failed",
];
const approved: readonly ChangeSetView["state"][] = ["approved", "mergeable", "merge_failed"];

/** The acts of the review's bar: the main one by state, and ways to all threads and to the history. */
export function ReviewActions({ overlay, onOverlay }: ReviewActionsProps) {
  const { changeSet, threads, book } = useReviewState();
  const { state } = changeSet;
  const draftCount = useDrafts(book).filter(
    ({ target, body }) => target.type !== "review" && body.trim() !== "",
  ).length;
  const isApproved = approved.includes(state);
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
      {open.includes(state) ? (
        <Button variant={isApproved ? "default" : "primary"} onClick={() => onOverlay("finish")}>
          {isApproved ? "Review again" : "Finish review"}
          {draftCount === 0 ? null : (
            <span className="tabular-nums">
              · {draftCount} {draftCount === 1 ? "draft" : "drafts"}
            </span>
          )}
        </Button>
      ) : null}
      {isApproved || state === "merged" ? (
        <Button variant={isApproved ? "primary" : "default"} onClick={() => onOverlay("merge")}>
          <GitMerge aria-hidden="true" />
          {isApproved ? "Merge" : "Merged"}
        </Button>
      ) : null}
      <FinishReview open={overlay === "finish"} onOpenChange={toggle("finish")} />
      <MergePanel open={overlay === "merge"} onOpenChange={toggle("merge")} />
      <ThreadList open={overlay === "threads"} onOpenChange={toggle("threads")} />
      <HistoryTab open={overlay === "history"} onOpenChange={toggle("history")} />
    </>
  );
}

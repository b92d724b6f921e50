"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, GitMerge } from "lucide-react";
import { useApi } from "@/app/_client/api-provider";
import { cn } from "@/app/_ui/class-names";
import { useReviewState } from "./review-context";
import { isReviewable } from "./review-states";
import type { Mergeability } from "./types";

/** A push to the branch is told to nobody, so it is looked at anew now and then. */
const lookAgainMs = 60_000;

/** How it would merge now, in a few words that lead to all of them: nobody approves what cannot be merged unawares. */
export function MergeState({ onOpen }: { onOpen: () => void }) {
  const { changeSet } = useReviewState();
  const api = useApi();
  const { data } = useQuery({
    ...api.changeSet.mergeability.queryOptions({ id: changeSet.id }),
    enabled: isReviewable(changeSet.state),
    refetchInterval: lookAgainMs,
  });
  if (data === undefined || !isReviewable(changeSet.state)) return null;
  const isStuck = data.status === "conflict" || data.status === "unrelated";
  const Icon = isStuck ? CircleAlert : GitMerge;
  return (
    <button
      type="button"
      onClick={onOpen}
      className={cn(
        "inline-flex items-center gap-1 underline-offset-2 hover:underline",
        isStuck ? "font-medium text-bad" : "hover:text-ink",
      )}
    >
      <Icon className="size-3.5 shrink-0" aria-hidden="true" />
      {mergeWords(data)}
    </button>
  );
}

function mergeWords({ status, files, behindBy }: Mergeability): string {
  const behind = behindBy === 0 ? "" : `, ${behindBy.toLocaleString("en-US")} behind`;
  switch (status) {
    case "conflict":
      return `Conflicts in ${files.length} ${files.length === 1 ? "file" : "files"}${behind}`;
    case "unrelated":
      return "No history in common";
    case "merged":
      return "In the branch already";
    default:
      return `Merges cleanly${behind}`;
  }
}

"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { GitMerge, TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Button } from "@/app/_ui/button";
import { CommitHash } from "@/app/_ui/commit-hash";
import { Dialog } from "@/app/_ui/dialog";
import { Field, TextArea } from "@/app/_ui/field";
import { FilePath } from "@/app/_ui/file-path";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { useReviewState } from "./review-context";
import type { Mergeability } from "./types";

interface MergePanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const lookAgainMs = 10_000;

/** How the ChangeSet would merge now, and the merge itself. */
export function MergePanel({ open, onOpenChange }: MergePanelProps) {
  const { changeSet } = useReviewState();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={changeSet.merged === null ? "Merge" : "Merged"}
      className="max-w-xl"
    >
      {changeSet.merged === null ? <LiveMerge /> : <Merged />}
    </Dialog>
  );
}

function Merged() {
  const { merged } = useReviewState().changeSet;
  if (merged === null) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 pb-3 text-sm">
      <dt className="text-muted">Into</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">
        <UntrustedText text={merged.branch} className="font-mono" />
        <CommitHash commit={merged.commit} />
      </dd>
      <dt className="text-muted">By</dt>
      <dd>
        <UntrustedText text={merged.actor.name} />
      </dd>
      <dt className="text-muted">When</dt>
      <dd>
        <RelativeTime at={merged.at} />
      </dd>
    </dl>
  );
}

function LiveMerge() {
  const { changeSet } = useReviewState();
  const api = useApi();
  const options = api.changeSet.mergeability.queryOptions({ id: changeSet.id });
  const query = useQuery({ ...options, refetchInterval: lookAgainMs });
  return (
    <QueryState query={query} awaited="a test merge" skeleton={<SkeletonRows rows={4} />}>
      {(mergeability) => <MergeForm mergeability={mergeability} onLookAgain={() => void query.refetch()} />}
    </QueryState>
  );
}

interface MergeFormProps {
  mergeability: Mergeability;
  onLookAgain: () => void;
}

function MergeForm({ mergeability, onLookAgain }: MergeFormProps) {
  const { changeSet } = useReviewState();
  const { status, baseCommit, message } = mergeability;
  const [written, setWritten] = useState<string | null>(null);
  const { merge, isBusy, refusal } = useMerge(changeSet.id, onLookAgain);
  const text = written ?? message;
  const canMerge =
    mergeability.isApproved && baseCommit !== null && (status === "fast_forward" || status === "clean");
  return (
    <div className="flex flex-col gap-3 pb-2 text-sm">
      <Method mergeability={mergeability} />
      {status === "clean" ? (
        <Field label="Message of the merge commit">
          <TextArea
            rows={7}
            value={text}
            maxLength={20_000}
            onChange={(event) => setWritten(event.target.value)}
            className="font-mono text-xs"
          />
        </Field>
      ) : null}
      {mergeability.isApproved || status === "merged" ? null : (
        <Note tone="warn">Nobody has approved this version yet, or changes were asked for since.</Note>
      )}
      {refusal === null ? null : <Note tone="bad">{refusal}</Note>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onLookAgain}>Look again</Button>
        <Button
          variant="primary"
          busy={isBusy}
          disabled={!canMerge || text.trim() === ""}
          onClick={() => {
            if (baseCommit === null) return;
            const { id, headCommit } = changeSet;
            merge({ id, headCommit, baseCommit, ...(status === "clean" ? { message: text } : {}) });
          }}
        >
          <GitMerge aria-hidden="true" />
          Merge into {mergeability.branch}
        </Button>
      </div>
    </div>
  );
}

const methods: Record<Mergeability["status"], string> = {
  fast_forward: "The branch moves forward to the approved commit. No merge commit is made.",
  clean: "It merges cleanly, by a merge commit whose second parent is the approved commit.",
  conflict:
    "It conflicts with the branch. Another attempt at the Task begins from the branch as it is now; a revision begins from this ChangeSet.",
  merged: "The branch has this commit already.",
  unrelated: "The branch and this ChangeSet have no history in common, so nothing can be merged.",
};

function Method({ mergeability }: { mergeability: Mergeability }) {
  const { status, branch, baseCommit, behindBy, files } = mergeability;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">Into</dt>
        <dd className="flex min-w-0 flex-wrap items-center gap-x-2">
          <UntrustedText text={branch} className="font-mono" />
          {baseCommit === null ? (
            <span className="text-muted">no commit yet</span>
          ) : (
            <CommitHash commit={baseCommit} />
          )}
        </dd>
        <dt className="text-muted">Behind by</dt>
        <dd className="tabular-nums">
          {behindBy === 0
            ? "nothing"
            : `${behindBy.toLocaleString("en-US")} ${behindBy === 1 ? "commit" : "commits"}`}
        </dd>
        <dt className="text-muted">How</dt>
        <dd>{methods[status]}</dd>
      </dl>
      {files.length === 0 ? null : (
        <div>
          <h3 className="mb-1 font-medium">
            {files.length === 1 ? "One file conflicts" : `${files.length} files conflict`}
          </h3>
          <ul className="max-h-48 overflow-y-auto rounded-md border border-line px-2.5 py-1">
            {files.map((path) => (
              <li key={path} className="py-0.5">
                <FilePath path={path} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Note({ tone, children }: { tone: "warn" | "bad"; children: ReactNode }) {
  return (
    <div
      role={tone === "bad" ? "alert" : undefined}
      className={
        tone === "bad"
          ? "flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad"
          : "flex gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn"
      }
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </div>
  );
}

function useMerge(changeSetId: string, onLookAgain: () => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { mutate, isPending } = useMutation(
    api.changeSet.merge.mutationOptions({
      onMutate: () => setRefusal(null),
      onSuccess: async (answer) => {
        if (answer.status === "refused") {
          setRefusal(answer.message);
          onLookAgain();
          return;
        }
        toast({ title: `Merged as ${answer.commit.slice(0, 8)}`, tone: "good" });
        await queryClient.invalidateQueries(api.changeSet.get.queryFilter({ id: changeSetId }));
      },
      onError: (error) => {
        setRefusal(describeApiError(error).message);
        void queryClient.invalidateQueries(api.changeSet.get.queryFilter({ id: changeSetId }));
        onLookAgain();
      },
    }),
  );
  return { merge: mutate, isBusy: isPending, refusal };
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import Link from "next/link";
import { useId, useRef, useState, type ReactNode } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Button } from "@/app/_ui/button";
import { CopyButton } from "@/app/_ui/copy-button";
import { Dialog } from "@/app/_ui/dialog";
import { Field, TextArea } from "@/app/_ui/field";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { agentWords, placeWords } from "./agent-words";
import type { Draft, DraftBook } from "./draft-book";
import { DraftStatusNote } from "./draft-status";
import { draftKey } from "./notes-of";
import { useReviewState } from "./review-context";
import type { ChangeSetView, Verdict } from "./types";
import { useDrafts } from "./use-draft-book";

interface FinishReviewProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const verdicts: readonly { value: Verdict; label: string; hint: string }[] = [
  { value: "approve", label: "Approve", hint: "It can be merged once it merges cleanly." },
  {
    value: "request_changes",
    label: "Request changes",
    hint: "It cannot be merged until a later review approves.",
  },
  { value: "comment", label: "Comment only", hint: "Sends what you wrote and decides nothing." },
  { value: "reject", label: "Reject", hint: "For good. Nobody can revise or merge it any more." },
];

const sentWords: Record<Verdict, string> = {
  approve: "Approved",
  request_changes: "Changes are requested",
  comment: "Your comments were sent",
  reject: "Rejected",
};

/** Decides on the version on the page, and sends every draft with it: all of it arrives, or nothing. */
export function FinishReview({ open, onOpenChange }: FinishReviewProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Finish the review" className="max-w-2xl">
      <ReviewForm onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ReviewForm({ onClose }: { onClose: () => void }) {
  const { changeSet, book } = useReviewState();
  const drafts = useDrafts(book).filter(({ body }) => body.trim() !== "");
  const remarks = drafts.filter(({ target }) => target.type !== "review");
  const { verdict, summary, status, decide, write } = useSummary(book, changeSet, drafts);
  const { send, isBusy, failure } = useSend({ changeSet, book, onSent: onClose });
  const isNothing = verdict === "comment" && summary.trim() === "" && remarks.length === 0;
  return (
    <div className="flex flex-col gap-3 pb-2">
      <Verdicts verdict={verdict} onChoose={decide} />
      <Field label="Summary" hint={<DraftStatusNote status={status} />}>
        <TextArea
          rows={4}
          value={summary}
          maxLength={60_000}
          placeholder="What it comes down to"
          onChange={(event) => write(event.target.value)}
          className="max-h-60 field-sizing-content min-h-20"
        />
      </Field>
      <DraftList drafts={remarks} onClose={onClose} />
      {verdict === "request_changes" ? <AgentWords summary={summary} drafts={remarks} /> : null}
      {failure === null ? null : (
        <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad wrap-anywhere">
          {failure}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button onClick={onClose}>Go on reading</Button>
        <Button
          variant={verdict === "reject" ? "danger" : "primary"}
          busy={isBusy}
          disabled={isNothing}
          onClick={() => send(verdict, summary)}
        >
          {verdicts.find(({ value }) => value === verdict)?.label}
          {remarks.length === 0
            ? ""
            : ` and send ${remarks.length} ${remarks.length === 1 ? "comment" : "comments"}`}
        </Button>
      </div>
    </div>
  );
}

function Verdicts({ verdict, onChoose }: { verdict: Verdict; onChoose: (verdict: Verdict) => void }) {
  const name = useId();
  return (
    <fieldset className="grid gap-1.5 sm:grid-cols-2">
      <legend className="mb-1 text-sm font-medium">Verdict</legend>
      {verdicts.map(({ value, label, hint }) => (
        <label
          key={value}
          className="flex gap-2 rounded-md border border-line px-2.5 py-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={verdict === value}
            onChange={() => onChoose(value)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <span className="block text-sm font-medium">{label}</span>
            <span className="block text-xs text-muted">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function DraftList({ drafts, onClose }: { drafts: readonly Draft[]; onClose: () => void }) {
  const { goTo, changeSet } = useReviewState();
  if (drafts.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1 text-sm font-medium">Sent with it</h3>
      <ul className="max-h-56 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {drafts.map((draft) => (
          <li key={draft.id}>
            <button
              type="button"
              className="w-full px-2.5 py-1.5 text-left -outline-offset-2 hover:bg-sunken"
              onClick={() => {
                onClose();
                goTo(draftKey(draft.id));
              }}
            >
              <span className="block truncate font-mono text-xs text-muted">
                {draft.target.type === "comment" ? (
                  <UntrustedText text={placeWords(draft.target.anchor)} />
                ) : (
                  "Reply"
                )}
                {draft.version === changeSet.version ? "" : ` · version ${draft.version}`}
              </span>
              <span className="line-clamp-2 text-sm wrap-anywhere">
                <UntrustedText text={draft.body} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function AgentWords({ summary, drafts }: { summary: string; drafts: readonly Draft[] }) {
  const { changeSet, threads } = useReviewState();
  const text = agentWords({ changeSet, summary, threads, drafts });
  return (
    <details className="rounded-md border border-line">
      <summary className="px-2.5 py-1.5 text-sm font-medium">What the agent can be given</summary>
      <div className="border-t border-line p-2.5">
        <div className="mb-1.5 flex items-center gap-2 text-xs text-muted">
          <span className="min-w-0 flex-1">
            Open a Run of the Task with revisesChangeSetId set to this ChangeSet, and give it this text.
            Agents read the threads by comment.list too.
          </span>
          <CopyButton text={text} label="Copy the text for the agent" />
        </div>
        <pre
          tabIndex={0}
          className="max-h-60 overflow-auto font-mono text-xs whitespace-pre-wrap wrap-anywhere"
        >
          <UntrustedText text={text} multiline />
        </pre>
      </div>
    </details>
  );
}

/** Verdict and summary are a draft too: they are there again after a reload. */
function useSummary(book: DraftBook, changeSet: ChangeSetView, drafts: readonly Draft[]) {
  const [newId] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<Verdict | null>(null);
  const draft = drafts.find(({ target }) => target.type === "review");
  const id = draft?.id ?? newId;
  const kept = draft?.target.type === "review" ? draft.target.verdict : null;
  const verdict = chosen ?? kept ?? "approve";
  const begin = (): void => {
    if (book.get(id) !== undefined) return;
    const { id: changeSetId, headCommit, version } = changeSet;
    book.begin({
      id,
      changeSetId,
      headCommit,
      version,
      target: { type: "review", verdict },
      placement: null,
    });
  };
  return {
    verdict,
    summary: draft?.body ?? "",
    status: draft?.status ?? ("empty" as const),
    decide: (next: Verdict): void => {
      setChosen(next);
      if (draft !== undefined) book.retarget(id, { type: "review", verdict: next });
    },
    write: (text: string): void => {
      begin();
      book.write(id, text);
    },
  };
}

interface SendInput {
  changeSet: ChangeSetView;
  book: DraftBook;
  onSent: () => void;
}

function useSend({ changeSet, book, onSent }: SendInput) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [failure, setFailure] = useState<ReactNode>(null);
  const [isSaving, setSaving] = useState(false);
  const key = useRef<{ body: string; id: string }>(null);
  const { mutateAsync, isPending } = useMutation(api.changeSet.review.mutationOptions());
  const deliver = async (verdict: Verdict, summary: string): Promise<void> => {
    setFailure(null);
    setSaving(true);
    const isSaved = await book.flush();
    setSaving(false);
    if (!isSaved) {
      setFailure(
        "Some of your drafts could not be saved, so nothing was sent. They are kept in this browser.",
      );
      return;
    }
    const drafts = book.list().filter(({ body }) => body.trim() !== "");
    const draftIds = drafts.map(({ id }) => id);
    const body = JSON.stringify([
      verdict,
      summary,
      drafts.map((draft) => [draft.id, draft.body, draft.target]),
    ]);
    // The same key as long as the same is sent, so that a send whose answer got lost counts once.
    if (key.current?.body !== body) key.current = { body, id: crypto.randomUUID() };
    try {
      const { id, headCommit } = changeSet;
      await mutateAsync({ id, headCommit, verdict, summary, draftIds, idempotencyKey: key.current.id });
    } catch (error) {
      setFailure(<Failure error={error} />);
      return;
    }
    book.forget(draftIds);
    toast({ title: sentWords[verdict], tone: "good" });
    onSent();
    await Promise.all(
      [api.changeSet, api.comment, api.draft].map((router) =>
        queryClient.invalidateQueries(router.pathFilter()),
      ),
    );
  };
  return {
    send: (verdict: Verdict, summary: string): void => void deliver(verdict, summary),
    isBusy: isPending || isSaving,
    failure,
  };
}

/** Why nothing was sent, and the newer version when that is why. */
function Failure({ error }: { error: unknown }) {
  const { title, message } = describeApiError(error);
  const newer = newerVersionOf(error);
  return (
    <>
      {title}. {message} Nothing was sent; everything you wrote is kept.
      {newer === null ? null : (
        <>
          {" "}
          <Link href={`/change-sets/${newer.id}`} className="font-medium underline underline-offset-2">
            Version {newer.version} arrived: go to it
          </Link>
        </>
      )}
    </>
  );
}

function newerVersionOf(error: unknown): { id: string; version: number } | null {
  if (!(error instanceof TRPCClientError)) return null;
  const { details } = (error.data ?? {}) as { details?: Record<string, unknown> };
  const [id, version] = [details?.["latestChangeSetId"], details?.["latestVersion"]];
  return typeof id === "string" && typeof version === "number" ? { id, version } : null;
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { TextArea } from "@/app/_ui/field";
import { IconButton } from "@/app/_ui/icon-button";
import { Select } from "@/app/_ui/select";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { placeWords } from "./agent-words";
import type { Draft } from "./draft-book";
import { DraftStatusNote } from "./draft-status";
import { kindOptions } from "./kind-badge";
import { useReviewState } from "./review-context";
import { isReviewable } from "./review-states";
import { useDraft } from "./use-draft-book";

/** One remark that is being written, or waits for the review to be sent. */
export function CommentEditor({ draftId }: { draftId: string }) {
  const { book } = useReviewState();
  const draft = useDraft(book, draftId);
  if (draft === undefined) return null;
  return draft.isOpen ? <OpenEditor draft={draft} /> : <WaitingDraft draft={draft} />;
}

function OpenEditor({ draft }: { draft: Draft }) {
  const { book, changeSet } = useReviewState();
  const canReview = isReviewable(changeSet.state);
  const { id, target, body, status } = draft;
  const send = useSendNow(draft);
  const isEmpty = body.trim() === "";
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!isEmpty) send.run();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (isEmpty) book.drop(id);
      else book.setOpen(id, false);
    }
  };
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-accent bg-surface p-2 font-sans">
      <PlaceNote draft={draft} />
      <TextArea
        autoFocus
        aria-label={target.type === "reply" ? "Your reply" : "Your comment"}
        placeholder={target.type === "reply" ? "Reply" : "Say what you see"}
        rows={3}
        value={body}
        maxLength={60_000}
        onChange={(event) => book.write(id, event.target.value)}
        onKeyDown={onKeyDown}
        className="max-h-80 field-sizing-content min-h-18"
      />
      {send.failure === null ? null : (
        <p role="alert" className="text-xs text-bad wrap-anywhere">
          {send.failure}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {target.type === "comment" ? (
          <Select
            label="Kind of comment"
            value={target.kind}
            onValueChange={(kind) => book.retarget(id, { ...target, kind })}
            options={kindOptions}
          />
        ) : null}
        <DraftStatusNote status={status} />
        <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
          <Button size="sm" variant="ghost" onClick={() => book.drop(id)}>
            {isEmpty ? "Cancel" : "Discard"}
          </Button>
          <Button
            size="sm"
            variant={canReview ? "default" : "primary"}
            disabled={isEmpty}
            busy={send.isBusy}
            onClick={send.run}
            title="Ctrl+Enter"
          >
            Comment now
          </Button>
          {canReview ? (
            <Button size="sm" variant="primary" disabled={isEmpty} onClick={() => book.setOpen(id, false)}>
              Keep for the review
            </Button>
          ) : null}
        </span>
      </div>
    </div>
  );
}

/** Says where it will stand when that is not where it is seen. */
function PlaceNote({ draft }: { draft: Draft }) {
  const { changeSet } = useReviewState();
  const { target, version } = draft;
  if (target.type !== "comment") return null;
  const isOlder = version !== changeSet.version;
  return (
    <p className="text-xs text-muted">
      <UntrustedText text={placeWords(target.anchor)} />
      {isOlder ? ` in version ${version}` : ""}
    </p>
  );
}

function WaitingDraft({ draft }: { draft: Draft }) {
  const { book } = useReviewState();
  const { id, body, status } = draft;
  return (
    <div className="rounded-lg border border-dashed border-accent bg-surface p-2 font-sans">
      <div className="mb-1 flex flex-wrap items-center gap-2">
        <Badge tone="accent">Draft</Badge>
        {status === "saved" ? (
          <span className="text-xs text-muted">Only you see it. It is sent with your review.</span>
        ) : (
          <DraftStatusNote status={status} />
        )}
        <span className="ml-auto flex">
          <IconButton label="Edit the draft" icon={Pencil} size="sm" onClick={() => book.setOpen(id, true)} />
          <IconButton label="Discard the draft" icon={Trash2} size="sm" onClick={() => book.drop(id)} />
        </span>
      </div>
      <UntrustedText text={body} multiline className="text-sm" />
    </div>
  );
}

/** Sends one remark alone. A repeat of a send that got lost is the same comment. */
function useSendNow(draft: Draft): { run: () => void; isBusy: boolean; failure: string | null } {
  const { book } = useReviewState();
  const api = useApi();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const { mutate, isPending } = useMutation(
    api.comment.create.mutationOptions({
      onSuccess: () => {
        // The server keeps the draft until it is told: the comment has its text now.
        book.drop(draft.id);
        void queryClient.invalidateQueries(api.comment.pathFilter());
        void queryClient.invalidateQueries(api.changeSet.get.pathFilter());
      },
      onError: (error) => setFailure(describeApiError(error).message),
    }),
  );
  const run = (): void => {
    const { changeSetId, headCommit, target, body, id } = draft;
    if (target.type === "review" || isPending) return;
    setFailure(null);
    const place =
      target.type === "reply"
        ? { anchor: null, threadId: target.threadId }
        : { anchor: target.anchor, kind: target.kind };
    // The text belongs to the key: what was changed after a failure is another comment.
    mutate({
      changeSetId,
      headCommit,
      ...place,
      body,
      idempotencyKey: `${id}.${body.length}.${checksum(body)}`,
    });
  };
  return { run, isBusy: isPending, failure };
}

function checksum(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return sum;
}

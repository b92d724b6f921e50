"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, CircleCheck, CircleDot, CircleSlash, Reply } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Badge } from "@/app/_ui/badge";
import { cn } from "@/app/_ui/class-names";
import { Button } from "@/app/_ui/button";
import { RelativeTime } from "@/app/_ui/relative-time";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { placeWords } from "./agent-words";
import { CommentEditor } from "./comment-editor";
import { KindBadge } from "./kind-badge";
import { useReviewState } from "./review-context";
import { ThreadCode } from "./thread-code";
import type { Placement, Thread, ThreadState } from "./types";
import { useDrafts } from "./use-draft-book";

interface ThreadViewProps {
  thread: Thread;
  /** Whether its lines are right above it. Otherwise it shows them as they were. */
  isAtItsLines: boolean;
}

/** A conversation, with what can be done about it. A closed one is one line until somebody opens it. */
export function ThreadView({ thread, isAtItsLines }: ThreadViewProps) {
  const { currentThreadId } = useReviewState();
  const [isShown, setShown] = useState<boolean | null>(null);
  const isOpen = isShown ?? thread.state === "open";
  const ToggleIcon = isOpen ? ChevronDown : ChevronRight;
  const [first] = thread.comments;
  return (
    <section
      aria-label={`Thread: ${placeWords(thread.anchor)}`}
      aria-current={currentThreadId === thread.id}
      className={cn(
        "rounded-lg border bg-surface font-sans text-sm",
        currentThreadId === thread.id ? "border-accent ring-1 ring-accent" : "border-line",
      )}
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-2 py-1">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setShown(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 text-left"
        >
          <ToggleIcon className="size-4 shrink-0 text-muted" aria-hidden="true" />
          <KindBadge kind={thread.kind} />
          <StateBadge thread={thread} />
          {isOpen ? (
            <PlaceWords thread={thread} isAtItsLines={isAtItsLines} />
          ) : (
            <span className="min-w-0 truncate text-muted">
              <UntrustedText text={first?.body ?? ""} />
            </span>
          )}
        </button>
      </header>
      {isOpen ? <ThreadBody thread={thread} isAtItsLines={isAtItsLines} /> : null}
    </section>
  );
}

function ThreadBody({ thread, isAtItsLines }: ThreadViewProps) {
  const { book, reply } = useReviewState();
  const replies = useDrafts(book).filter(
    ({ target }) => target.type === "reply" && target.threadId === thread.id,
  );
  return (
    <div className="flex flex-col gap-2 border-t border-line px-2 py-2">
      {isAtItsLines ? null : <ThreadCode thread={thread} />}
      <ol className="flex flex-col gap-2">
        {thread.comments.map((comment) => (
          <li key={comment.id}>
            <p className="flex flex-wrap items-baseline gap-x-1.5 text-xs text-muted">
              <UntrustedText text={comment.author.name} className="font-medium text-ink" />
              <RelativeTime at={comment.at} />
            </p>
            <UntrustedText text={comment.body} multiline className="max-w-[90ch]" />
          </li>
        ))}
      </ol>
      {replies.map(({ id }) => (
        <CommentEditor key={id} draftId={id} />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        {replies.length > 0 ? null : (
          <Button size="sm" onClick={() => reply(thread.id)}>
            <Reply aria-hidden="true" />
            Reply
          </Button>
        )}
        <StateButtons thread={thread} />
      </div>
    </div>
  );
}

function StateButtons({ thread }: { thread: Thread }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, variables } = useMutation(
    api.comment.resolve.mutationOptions({
      onError: (error) => toast({ title: describeApiError(error).message, tone: "bad" }),
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries(api.comment.pathFilter()),
          queryClient.invalidateQueries(api.changeSet.get.pathFilter()),
        ]),
    }),
  );
  const choices: readonly { state: ThreadState; label: string }[] =
    thread.state === "open"
      ? [
          { state: "resolved", label: "Resolve" },
          { state: "wont_do", label: "Won’t do" },
        ]
      : [{ state: "open", label: "Open again" }];
  return choices.map(({ state, label }) => (
    <Button
      key={state}
      size="sm"
      variant="ghost"
      busy={isPending && variables.state === state}
      disabled={isPending && variables.state !== state}
      onClick={() => mutate({ threadId: thread.id, state })}
    >
      {label}
    </Button>
  ));
}

const states = {
  open: { label: "Open", tone: "accent", icon: CircleDot },
  resolved: { label: "Resolved", tone: "good", icon: CircleCheck },
  wont_do: { label: "Won’t do", tone: "neutral", icon: CircleSlash },
} as const;

function StateBadge({ thread }: { thread: Thread }) {
  const { label, tone, icon } = states[thread.state];
  return (
    <>
      <Badge tone={tone} icon={icon}>
        {label}
      </Badge>
      {thread.resolvedBy === null || thread.state === "open" ? null : (
        <span className="hidden shrink-0 text-xs text-muted sm:inline">
          by <UntrustedText text={thread.resolvedBy.name} />
        </span>
      )}
    </>
  );
}

const placements: Record<Placement["status"], string | null> = {
  same: null,
  moved: null,
  changed: "these lines changed since",
  line_gone: "these lines are gone now",
  file_gone: "the file is gone now",
  whole: null,
};

/** What it is about, where that is not seen from where it stands. */
function PlaceWords({ thread, isAtItsLines }: ThreadViewProps) {
  const { changeSet } = useReviewState();
  const isOlder = thread.version !== changeSet.version;
  const change = placements[thread.placement.status];
  const lines = linesOf(thread.placement);
  const words = [
    ...(isAtItsLines && lines !== null ? [lines] : []),
    ...(isOlder ? [`from version ${thread.version}`] : []),
    ...(change === null ? [] : [change]),
  ].join(", ");
  return (
    <span className="min-w-0 truncate text-xs text-muted">
      {isAtItsLines ? null : <UntrustedText text={placeWords(thread.anchor)} className="font-mono" />}
      {isAtItsLines || words === "" ? words : ` · ${words}`}
    </span>
  );
}

/** Which lines above it are meant, where it is more than the one right above. */
function linesOf({ startLine, endLine }: Placement): string | null {
  return startLine === null || endLine === null || startLine === endLine
    ? null
    : `lines ${startLine} to ${endLine}`;
}

"use client";

import { MessageSquareOff } from "lucide-react";
import { useState } from "react";
import { Dialog } from "@/app/_ui/dialog";
import { EmptyState } from "@/app/_ui/empty-state";
import { Checkbox } from "@/app/_ui/field";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { placeWords } from "./agent-words";
import { KindBadge } from "./kind-badge";
import { isUnresolved, threadKey } from "./notes-of";
import { useReviewState } from "./review-context";
import type { Thread } from "./types";

interface ThreadListProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** All threads of the series in one list, each a way to where it stands. */
export function ThreadList({ open, onOpenChange }: ThreadListProps) {
  const { threads, goTo } = useReviewState();
  const [isUnresolvedOnly, setUnresolvedOnly] = useState(true);
  const shown = isUnresolvedOnly ? threads.filter(isUnresolved) : threads;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Threads"
      className="top-0 right-0 left-auto h-dvh max-h-dvh w-full max-w-md translate-x-0 translate-y-0 rounded-none sm:rounded-l-lg"
    >
      <Checkbox
        label="Unresolved only"
        checked={isUnresolvedOnly}
        onCheckedChange={setUnresolvedOnly}
        className="mb-2"
      />
      {shown.length === 0 ? (
        <EmptyState
          icon={MessageSquareOff}
          title={threads.length === 0 ? "Nobody has said anything yet" : "Every thread is resolved"}
        >
          {threads.length === 0
            ? "Choose a line and press c, or press the + beside its number."
            : "Show the resolved ones with the box above."}
        </EmptyState>
      ) : (
        <ul className="-mx-2 flex flex-col">
          {shown.map((thread) => (
            <li key={thread.id}>
              <ThreadRow
                thread={thread}
                onGo={() => {
                  onOpenChange(false);
                  goTo(threadKey(thread.id));
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function ThreadRow({ thread, onGo }: { thread: Thread; onGo: () => void }) {
  const last = thread.comments.at(-1);
  const [first] = thread.comments;
  const states = { open: "Open", resolved: "Resolved", wont_do: "Won’t do" };
  return (
    <button
      type="button"
      onClick={onGo}
      className="flex w-full flex-col gap-1 rounded-md px-2 py-2 text-left hover:bg-sunken"
    >
      <span className="flex w-full min-w-0 items-center gap-2">
        <KindBadge kind={thread.kind} />
        <span className="text-xs text-muted">{states[thread.state]}</span>
        <span className="ml-auto shrink-0 text-xs text-muted">
          {last === undefined ? null : <RelativeTime at={last.at} />}
        </span>
      </span>
      <UntrustedText
        text={placeWords(thread.anchor)}
        className="w-full truncate font-mono text-xs text-muted"
      />
      <span className="line-clamp-2 w-full text-sm wrap-anywhere">
        <UntrustedText text={first?.body ?? ""} />
      </span>
      <span className="text-xs text-muted">
        {thread.comments.length === 1 ? "1 comment" : `${thread.comments.length} comments`}
        {first === undefined ? null : (
          <>
            {" by "}
            <UntrustedText text={first.author.name} />
          </>
        )}
      </span>
    </button>
  );
}

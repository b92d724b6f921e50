"use client";

import { useCallback, useMemo, type ReactNode } from "react";
import { useToast } from "@/app/_ui/toast";
import type { Note, NotesByPath } from "@/app/_diff/places";
import { CommentEditor } from "../_review/comment-editor";
import type { DraftBook } from "../_review/draft-book";
import { Remarks } from "../_review/remarks";
import { ThreadView } from "../_review/thread-view";
import type { Anchor, Thread } from "../_review/types";
import { useReviewData, type ReviewData } from "../_review/use-review-data";
import type { ChangeSetView, CommentPlace, NoteCount, Version } from "./desk";
import { useViewed } from "./use-viewed";

/** What reviewers add to the diff: threads, drafts, marks, and the acts on the whole ChangeSet. */
export interface ReviewParts {
  data: ReviewData;
  notes: NotesByPath;
  renderNote: (path: string, note: Note, isOutOfView: boolean) => ReactNode;
  noteCount: (path: string) => NoteCount;
  isViewed: (path: string) => boolean;
  setViewed: (path: string, isViewed: boolean) => void;
  comment: (place: CommentPlace) => void;
  begin: (anchor: Anchor) => void;
  reply: (threadId: string) => void;
  /** What is said about the whole ChangeSet. */
  remarks: ReactNode;
}

interface PartsInput {
  changeSet: ChangeSetView;
  against: string;
  hasFile: (path: string) => boolean;
}

export function useReviewParts({ changeSet, against, hasFile }: PartsInput): ReviewParts {
  const { isViewed, setViewed } = useViewed(changeSet.id);
  const data = useReviewData({ changeSet, against, hasFile });
  const { book, threadOf, topThreads, topDraftIds } = data;
  const toast = useToast();
  const reply = useCallback((threadId: string) => beginReply(book, changeSet, threadId), [book, changeSet]);
  const begin = useCallback((anchor: Anchor) => beginComment(book, changeSet, anchor), [book, changeSet]);
  const comment = useCallback(
    (place: CommentPlace) => {
      const about = versionOf(changeSet, against, place);
      if (about === null)
        toast({ title: "These lines are of another attempt. Comment on them there.", tone: "bad" });
      else beginComment(book, about.version, about.anchor);
    },
    [book, changeSet, against, toast],
  );
  const renderNote = useCallback(
    (_path: string, note: Note, isOutOfView: boolean) => renderPart(threadOf(note.key), note, isOutOfView),
    [threadOf],
  );
  const remarks = useMemo(
    () => <Remarks threads={topThreads} draftIds={topDraftIds} />,
    [topThreads, topDraftIds],
  );
  const { notes, noteCount } = data;
  return useMemo(
    () => ({
      data,
      notes,
      renderNote,
      noteCount,
      isViewed,
      setViewed,
      comment,
      begin,
      reply,
      remarks,
    }),
    [data, notes, renderNote, noteCount, isViewed, setViewed, comment, begin, reply, remarks],
  );
}

function renderPart(thread: Thread | undefined, note: Note, isOutOfView: boolean): ReactNode {
  const isAtItsLines = note.line > 0 && !isOutOfView;
  return (
    <div className="mx-2 my-2 max-w-3xl whitespace-normal sm:mx-3">
      {thread === undefined ? (
        <CommentEditor draftId={note.key.slice("draft:".length)} />
      ) : (
        <ThreadView thread={thread} isAtItsLines={isAtItsLines} />
      )}
    </div>
  );
}

type About = Pick<Version, "id" | "version" | "headCommit">;

/** Whose lines these are: the old side of a comparison of two versions is the older version's new one. */
function versionOf(
  changeSet: ChangeSetView,
  against: string,
  place: CommentPlace,
): { version: About; anchor: Anchor } | null {
  if (place.kind === "all") return { version: changeSet, anchor: null };
  if (place.kind === "file") return { version: changeSet, anchor: { path: place.path } };
  if (place.place.side === "new" || against === "base") return { version: changeSet, anchor: place.place };
  const version = changeSet.versions.find(({ id }) => id === against);
  return version === undefined ? null : { version, anchor: { ...place.place, side: "new" } };
}

/** An editor for the place; the one that is there already, when there is one. */
function beginComment(
  book: DraftBook,
  { id: changeSetId, headCommit, version }: About,
  anchor: Anchor,
): void {
  const known = book
    .list()
    .find(
      (draft) =>
        draft.target.type === "comment" &&
        draft.changeSetId === changeSetId &&
        JSON.stringify(draft.target.anchor) === JSON.stringify(anchor),
    );
  if (known !== undefined) return book.setOpen(known.id, true);
  const target = { type: "comment" as const, anchor, kind: "note" as const };
  book.begin({ id: crypto.randomUUID(), changeSetId, headCommit, version, target, placement: null });
}

function beginReply(
  book: DraftBook,
  { id: changeSetId, headCommit, version }: About,
  threadId: string,
): void {
  const known = book.list().find(({ target }) => target.type === "reply" && target.threadId === threadId);
  if (known !== undefined) return book.setOpen(known.id, true);
  const target = { type: "reply" as const, threadId };
  book.begin({ id: crypto.randomUUID(), changeSetId, headCommit, version, target, placement: null });
}

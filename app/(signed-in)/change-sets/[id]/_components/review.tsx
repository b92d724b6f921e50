"use client";

import { useRouter } from "next/navigation";
import { useMemo, useState, type KeyboardEvent } from "react";
import { draftKey, threadKey } from "../_review/notes-of";
import { ReviewActions, type Overlay } from "../_review/review-actions";
import { ReviewContext, type ReviewState } from "../_review/review-context";
import { DeskContext, type ChangeSetView } from "./desk";
import { FilesPanel } from "./files-panel";
import { FindBar } from "./find-bar";
import { Notices } from "./notices";
import { PlainTable } from "./plain-table";
import { ReviewBar } from "./review-bar";
import { ReviewCounts } from "./review-counts";
import { ReviewDiff } from "./review-diff";
import { ReviewToolbar } from "./review-toolbar";
import { useReview, type ReviewModel } from "./use-review";
import { useReviewKeys } from "./use-review-keys";

/** The review page of one ChangeSet that was read. */
export function Review({ changeSet }: { changeSet: ChangeSetView }) {
  const model = useReview(changeSet);
  const router = useRouter();
  const { cursor, desk, preferences, change } = model;
  const [isFinding, setFinding] = useState(false);
  const [sought, setSought] = useState("");
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const review = useReviewContext(model);
  useReviewKeys({
    cursor,
    desk,
    preferences,
    change,
    openFind: () => setFinding(true),
    stepThread: (step) => stepPlace(model, step),
    stepVersion: (step) => stepVersion(model, step, (href) => router.push(href)),
    reply: () => replyHere(model),
    finish: () => setOverlay("finish"),
  });
  const table = model.table === null ? undefined : desk.fileByPath.get(model.table);
  return (
    <ReviewContext value={review}>
      <DeskContext value={desk}>
        <ReviewBar
          changeSet={changeSet}
          counts={<ReviewCounts model={model} />}
          action={<ReviewActions overlay={overlay} onOverlay={setOverlay} />}
        />
        <Notices changeSet={changeSet} />
        <ReviewToolbar
          model={model}
          onFind={() => setFinding(true)}
          onFiles={() =>
            desk.isNarrow ? setDrawerOpen(true) : change({ showsTree: !preferences.showsTree })
          }
        />
        {isFinding ? (
          <FindBar
            files={model.files}
            store={desk.store}
            revision={model.revision}
            sought={sought}
            onSought={setSought}
            onGo={cursor.goToLine}
            onClose={() => {
              setFinding(false);
              setSought("");
            }}
          />
        ) : null}
        <div className="relative flex min-h-0 flex-1">
          <Files model={model} isDrawerOpen={isDrawerOpen} onCloseDrawer={() => setDrawerOpen(false)} />
          <div
            className="min-w-0 flex-1"
            onKeyDown={(event) => onLineKeys(event, model)}
            onWheel={cursor.letGo}
            onTouchMove={cursor.letGo}
          >
            <ReviewDiff model={model} sought={sought} />
          </div>
        </div>
        <p className="sr-only" role="status">
          {cursor.spoken}
        </p>
        {table === undefined ? null : (
          <PlainTable
            file={table}
            whitespace={preferences.whitespace}
            onClose={() => model.showTable(null)}
          />
        )}
      </DeskContext>
    </ReviewContext>
  );
}

/** What the parts of a review need of the page. */
function useReviewContext({ changeSet, parts, cursor, view }: ReviewModel): ReviewState {
  const { data, begin, reply } = parts;
  const { goToLine, goToFile } = cursor;
  return useMemo(() => {
    const goTo = (key: string): void => {
      const target = data.book.list().find((draft) => draftKey(draft.id) === key)?.target;
      const spot = data.spots.get(target?.type === "reply" ? threadKey(target.threadId) : key);
      if (spot?.kind === "line") goToLine(spot.place);
      else if (spot?.kind === "file") goToFile(spot.path);
      else view.current?.showTop();
    };
    return { changeSet, threads: data.threads, book: data.book, begin, reply, goTo };
  }, [changeSet, data, begin, reply, goToLine, goToFile, view]);
}

/** Answers in the thread at the chosen line. */
function replyHere({ parts, cursor }: ReviewModel): void {
  const { selection } = cursor;
  if (selection === null) return;
  const { threads, spots } = parts.data;
  const here = threads.find(({ id }) => {
    const spot = spots.get(threadKey(id));
    if (spot?.kind !== "line") return false;
    const { path, side, endLine } = spot.place;
    return path === selection.path && side === selection.side && endLine === selection.endLine;
  });
  if (here !== undefined) parts.reply(here.id);
}

interface FilesProps {
  model: ReviewModel;
  isDrawerOpen: boolean;
  onCloseDrawer: () => void;
}

function Files({ model, isDrawerOpen, onCloseDrawer }: FilesProps) {
  const { preferences, isNarrow, cursor } = model;
  const isShown = isNarrow ? isDrawerOpen : preferences.showsTree;
  if (!isShown) return null;
  return (
    <>
      {isNarrow ? (
        <div className="absolute inset-0 z-20 bg-overlay" onClick={onCloseDrawer} aria-hidden="true" />
      ) : null}
      <aside
        aria-label="Files"
        onKeyDown={(event) => {
          if (event.key === "Escape" && isNarrow) onCloseDrawer();
        }}
        className={
          isNarrow
            ? "absolute inset-y-0 left-0 z-30 flex w-[min(20rem,85%)] flex-col border-r border-line bg-surface shadow-pop"
            : "flex w-72 shrink-0 flex-col border-r border-line bg-surface"
        }
      >
        <FilesPanel
          files={model.files}
          total={model.source.files.length}
          isFlat={preferences.order === "size"}
          current={cursor.current}
          onChoose={(path) => {
            cursor.goToFile(path);
            if (isNarrow) onCloseDrawer();
          }}
          filter={model.filter}
          setFilter={model.setFilter}
          {...(isNarrow ? { onClose: onCloseDrawer } : {})}
        />
      </aside>
    </>
  );
}

/** Arrow keys move the chosen line while the diff has the focus; with Shift they take in more lines. */
function onLineKeys(event: KeyboardEvent, { cursor, desk }: ReviewModel): void {
  const { target } = event;
  const isInControl =
    target instanceof HTMLElement && target.closest("textarea, input, select, [role=dialog]") !== null;
  if (isInControl || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowDown") cursor.stepLine(1, event.shiftKey);
  else if (event.key === "ArrowUp") cursor.stepLine(-1, event.shiftKey);
  else if (event.key === "Enter" && cursor.selection !== null && !(target instanceof HTMLButtonElement)) {
    desk.comment({ kind: "lines", place: cursor.selection });
  } else return;
  event.preventDefault();
}

function stepVersion({ versions, changeSet }: ReviewModel, step: 1 | -1, go: (href: string) => void): void {
  const next = versions[versions.findIndex(({ id }) => id === changeSet.id) + step];
  if (next !== undefined) go(`/change-sets/${next.id}`);
}

function stepPlace({ parts, cursor, files }: ReviewModel, step: 1 | -1): void {
  const order = new Map(files.map((file, index) => [file.path, index]));
  const rank = (path: string, line: number): number => (order.get(path) ?? 0) * 1e7 + line;
  const here =
    cursor.selection !== null
      ? rank(cursor.selection.path, cursor.selection.startLine)
      : rank(cursor.current ?? "", step > 0 ? -1 : 0);
  const places = [...parts.places].sort((a, b) => rank(a.path, a.startLine) - rank(b.path, b.startLine));
  const found =
    step > 0
      ? places.find((place) => rank(place.path, place.startLine) > here)
      : places.findLast((place) => rank(place.path, place.startLine) < here);
  if (found !== undefined) cursor.goToLine(found);
}

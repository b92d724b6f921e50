"use client";

import { useRouter } from "next/navigation";
import { useMemo, useState, type KeyboardEvent } from "react";
import { MergeState } from "../_review/merge-state";
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
import { useThreadWalk } from "./use-thread-walk";

/** The review page of one ChangeSet that was read. */
export function Review({ changeSet }: { changeSet: ChangeSetView }) {
  const model = useReview(changeSet);
  const router = useRouter();
  const { cursor, desk, preferences, change } = model;
  const [isFinding, setFinding] = useState(false);
  const [sought, setSought] = useState("");
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const walk = useThreadWalk(model);
  const review = useReviewContext(model, walk.currentId);
  useReviewKeys({
    cursor,
    desk,
    preferences,
    change,
    openFind: () => setFinding(true),
    stepThread: walk.step,
    stepVersion: (step) => stepVersion(model, step, (href) => router.push(href)),
    reply: walk.reply,
    finish: () => setOverlay("finish"),
  });
  const table = model.table === null ? undefined : desk.fileByPath.get(model.table);
  return (
    <ReviewContext value={review}>
      <DeskContext value={desk}>
        <ReviewBar
          changeSet={changeSet}
          counts={
            <>
              <ReviewCounts model={model} />
              <MergeState onOpen={() => setOverlay("merge")} />
            </>
          }
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
          <DiffPane model={model} sought={sought} />
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

function DiffPane({ model, sought }: { model: ReviewModel; sought: string }) {
  const { letGo } = model.cursor;
  return (
    <div
      className="relative min-w-0 flex-1"
      onKeyDown={(event) => onLineKeys(event, model)}
      onWheel={letGo}
      onTouchMove={letGo}
    >
      <ReviewDiff model={model} sought={sought} />
    </div>
  );
}

/** What the parts of a review need of the page. */
function useReviewContext(
  { changeSet, parts, cursor, view }: ReviewModel,
  currentThreadId: string | null,
): ReviewState {
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
    return { changeSet, threads: data.threads, book: data.book, currentThreadId, begin, reply, goTo };
  }, [changeSet, data, currentThreadId, begin, reply, goToLine, goToFile, view]);
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
          total={model.source.query.data === undefined ? null : model.source.files.length}
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

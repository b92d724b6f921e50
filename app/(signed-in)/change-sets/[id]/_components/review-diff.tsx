"use client";

import dynamic from "next/dynamic";
import { useCallback, useEffect, useState } from "react";
import { EmptyState } from "@/app/_ui/empty-state";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { weigh } from "@/app/_diff/file-weight";
import { hasLines } from "@/app/_diff/has-lines";
import type { LinePlace } from "@/app/_diff/places";
import type { Desk } from "./desk";
import { DiffBoundary } from "./diff-boundary";
import { FileBody } from "./file-body";
import { FileHeader } from "./file-header";
import { ReviewTop } from "./review-top";
import { noFilter } from "./tree-rows";
import type { ReviewModel } from "./use-review";

// The library asks the browser what it is when it is read, so it is never read on the server.
const DiffView = dynamic(() => import("@/app/_diff/diff-view").then((module) => module.DiffView), {
  ssr: false,
  loading: () => <SkeletonRows rows={12} />,
});

/** Files on the screen load their lines, unless they are folded or so large that somebody has to ask for them. */
function isWanted(path: string, { fileByPath, isFolded }: Desk): boolean {
  const file = fileByPath.get(path);
  return file !== undefined && hasLines(file) && !isFolded(path) && weigh(file).body === "at_once";
}

/** The diff itself, with what stands above it. */
export function ReviewDiff({ model, sought }: { model: ReviewModel; sought: string }) {
  const { source, files, desk, parts, cursor, view, looks } = model;
  const { seeFiles, goToFile, goToLine } = cursor;
  const { store, comment } = desk;
  const [isDrawn, setDrawn] = useState(false);
  const { loadAhead } = source;
  useEffect(() => {
    if (isDrawn) loadAhead();
  }, [isDrawn, loadAhead]);
  const onShown = useCallback(
    (paths: string[], current: string) => {
      setDrawn(true);
      seeFiles(paths, current);
      store.want(paths.filter((path) => isWanted(path, desk)));
    },
    [seeFiles, store, desk],
  );
  const onComment = useCallback((place: LinePlace) => comment({ kind: "lines", place }), [comment]);
  const renderHeader = useCallback((path: string) => <FileHeader path={path} />, []);
  const renderBody = useCallback((path: string) => <FileBody path={path} />, []);
  const top = useCallback(
    () => <ReviewTop goToFile={goToFile} goToLine={goToLine} remarks={parts.remarks} />,
    [goToFile, goToLine, parts.remarks],
  );
  return (
    <QueryState
      query={source.query}
      awaited="the comparison of the two commits"
      skeleton={<SkeletonRows rows={14} />}
      isEmpty={(data) => data.files.length === 0}
      empty={
        <>
          {top()}
          <EmptyState title="Nothing differs">The two sides of this comparison are the same.</EmptyState>
        </>
      }
    >
      {() =>
        files.length === 0 ? (
          <NothingPasses onShowAll={() => model.setFilter(noFilter)} />
        ) : (
          <DiffBoundary files={files} onTable={desk.showTable}>
            {isDrawn ? null : <NotDrawnYet />}
            <DiffView
              ref={view}
              files={files}
              store={store}
              revision={model.revision}
              isFolded={desk.isFolded}
              hidesLines={desk.hidesLines}
              notes={parts.notes}
              looks={looks}
              sought={sought}
              selection={cursor.selection}
              onSelect={cursor.select}
              onComment={onComment}
              onShown={onShown}
              loadSides={source.loadSides}
              renderHeader={renderHeader}
              renderBody={renderBody}
              renderNote={parts.renderNote}
              top={top}
            />
          </DiffBoundary>
        )
      }
    </QueryState>
  );
}

function NothingPasses({ onShowAll }: { onShowAll: () => void }) {
  return (
    <EmptyState
      title="No file passes the filter"
      action={
        <button type="button" className="text-accent underline" onClick={onShowAll}>
          Show all files
        </button>
      }
    />
  );
}

/** The library is here and has drawn nothing so far: an empty page would look like an empty ChangeSet. */
function NotDrawnYet() {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0">
      <SkeletonRows rows={12} />
    </div>
  );
}

"use client";

import type {
  CodeViewItem,
  CodeViewLineSelection,
  FileDiffLoadedFiles,
  FileDiffMetadata,
  SelectedLineRange,
} from "@pierre/diffs";
import { CodeView, type CodeViewHandle } from "@pierre/diffs/react";
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type Ref,
} from "react";
import { codeTheme, diffCss } from "./code-theme";
import { createItemCache, type DiffItem, type SlotContent } from "./diff-items";
import { DiffWorkers } from "./diff-workers";
import { highlightRanges } from "./highlight-ranges";
import { makeReachable, pressByKey } from "./reachable";
import { isInHunks } from "./line-rows";
import { fileOf, type ParsedBody } from "./parsed-body";
import type { PatchStore } from "./patch-store";
import type { DiffFile, LinePlace, Note, NotesByPath, Side } from "./places";

export interface DiffLooks {
  layout: "split" | "unified";
  wraps: boolean;
  tabWidth: number;
  marksWords: boolean;
  /** The height that file headers have, in pixels. */
  headerHeight: number;
}

export interface DiffViewHandle {
  showFile: (path: string) => void;
  /** Goes to the line, or to its file as long as the line is not drawn. */
  showLine: (place: LinePlace, align: "center" | "nearest") => void;
  showTop: () => void;
}

export interface DiffViewProps {
  files: readonly DiffFile[];
  store: PatchStore<ParsedBody>;
  /** `store.revision()`, so that a change of the store is a change of these. */
  revision: number;
  isFolded: (path: string) => boolean;
  hidesLines: (path: string) => boolean;
  notes: NotesByPath;
  looks: DiffLooks;
  /** A word that is marked in the lines that are drawn. */
  sought: string;
  selection: LinePlace | null;
  onSelect: (place: LinePlace | null) => void;
  /** Null where nothing can be said about a line. */
  onComment: ((place: LinePlace) => void) | null;
  /** Which files are on the screen or about to be, and which one is at its top. */
  onShown: (paths: string[], current: string) => void;
  /** Both whole sides of a file, when lines between its hunks are laid open. */
  loadSides: (file: DiffFile) => Promise<FileDiffLoadedFiles>;
  renderHeader: (path: string) => ReactNode;
  renderBody: (path: string) => ReactNode;
  renderNote: (path: string, note: Note, isOutOfView: boolean) => ReactNode;
  /** What stands above the first file and scrolls with it. */
  top: () => ReactNode;
  ref: Ref<DiffViewHandle>;
}

const lineHeight = 20;
const tokenizeMaxLines = 5_000;

/** All files of a diff in one virtual list. The only place that knows the library that draws them. */
export function DiffView(props: DiffViewProps) {
  return (
    <DiffWorkers marksWords={props.looks.marksWords}>
      <DiffList {...props} />
    </DiffWorkers>
  );
}

function DiffList(props: DiffViewProps) {
  const { looks, selection, renderHeader, renderBody, renderNote, onSelect, ref } = props;
  const items = useItems(props);
  const view = useRef<CodeViewHandle<SlotContent, undefined>>(null);
  const reportShown = useShownReport(props, view);
  const options = useOptions(props, reportShown);
  const findItem = (path: string): DiffItem | undefined => items.find(({ id }) => id === path);
  const isDrawn = (place: LinePlace): boolean => showsLines(findItem(place.path), place);
  const selectedItem = selection === null ? undefined : findItem(selection.path);
  const isSelectionDrawn = useIsDrawn(selectedItem) && selection !== null && isDrawn(selection);
  useImperativeHandle(ref, () => ({
    showFile: (path) =>
      view.current?.scrollTo({ type: "item", id: path, align: "start", behavior: "instant" }),
    showLine: (place, align) =>
      view.current?.scrollTo(
        isDrawn(place)
          ? {
              type: "line",
              id: place.path,
              lineNumber: place.endLine,
              side: toLibrarySide(place.side),
              align,
              behavior: "instant",
            }
          : { type: "item", id: place.path, align: "start", behavior: "instant" },
      ),
    showTop: () => view.current?.scrollTo({ type: "position", position: 0, behavior: "instant" }),
  }));
  const renderCustomHeader = useCallback(
    (item: CodeViewItem<SlotContent>) => renderHeader(item.id),
    [renderHeader],
  );
  const renderAnnotation = useCallback(
    (annotation: { metadata: SlotContent }, _diff: unknown, item: { id: string }) => {
      const content = annotation.metadata;
      return content.kind === "body"
        ? renderBody(item.id)
        : renderNote(item.id, content.note, content.isOutOfView);
    },
    [renderBody, renderNote],
  );
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = scroller.current;
    element?.addEventListener("keydown", pressByKey);
    return () => element?.removeEventListener("keydown", pressByKey);
  }, []);
  return (
    <CodeView<SlotContent>
      ref={view}
      containerRef={scroller}
      items={items}
      options={options}
      selectedLines={isSelectionDrawn ? toLibrarySelection(selection) : null}
      onSelectedLinesChange={(next) => onSelect(next === null ? null : toPlace(next.id, next.range))}
      onScroll={reportShown}
      renderCodeViewHeader={props.top}
      renderCustomHeader={renderCustomHeader}
      renderAnnotation={renderAnnotation}
      className="h-full overflow-y-auto overscroll-contain px-2 sm:px-3"
      style={
        {
          "--diffs-tab-size": looks.tabWidth,
          ...(selection === null ? {} : { [`--cursor-${selection.side}`]: "var(--color-accent)" }),
        } as CSSProperties
      }
    />
  );
}

/** Whether the item has these lines, so that the library can find them. */
function showsLines(item: DiffItem | undefined, { side, startLine, endLine }: LinePlace): boolean {
  if (item === undefined || item.collapsed === true) return false;
  const { fileDiff } = item;
  const isThere = (line: number): boolean => !fileDiff.isPartial || isInHunks(fileDiff, side, line);
  return fileDiff.hunks.length > 0 && isThere(startLine) && isThere(endLine);
}

/** The library looks for chosen lines in what it drew last: they are chosen only after the item was drawn as it is now. */
function useIsDrawn(item: DiffItem | undefined): boolean {
  const [drawn, setDrawn] = useState(item);
  // The library draws in a layout effect of its own, and says of no item that it is done: this one runs right after it.
  // eslint-disable-next-line react-hooks/set-state-in-effect
  useLayoutEffect(() => setDrawn(item), [item]);
  return drawn === item;
}

function useItems(props: DiffViewProps) {
  const { files, store, revision, isFolded, hidesLines, notes } = props;
  const [cache] = useState(createItemCache);
  return useMemo(
    () =>
      files.map((file) =>
        cache.item({
          file,
          state: store.get(file.path),
          isFolded: isFolded(file.path),
          hidesLines: hidesLines(file.path),
          notes: notes.get(file.path),
        }),
      ),
    // `revision` stands for what `store.get` gives.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [cache, files, store, revision, isFolded, hidesLines, notes],
  );
}

function useOptions({ looks, loadSides, onComment, sought }: DiffViewProps, reportShown: () => void) {
  const { layout, wraps, headerHeight } = looks;
  return useMemo(
    () => ({
      theme: codeTheme,
      diffStyle: layout,
      overflow: wraps ? ("wrap" as const) : ("scroll" as const),
      diffIndicators: "classic" as const,
      hunkSeparators: "line-info-basic" as const,
      expansionLineCount: 20,
      tokenizeMaxLength: tokenizeMaxLines,
      stickyHeaders: true,
      lineHoverHighlight: "number" as const,
      enableLineSelection: onComment !== null,
      unsafeCSS: diffCss,
      itemMetrics: { diffHeaderHeight: headerHeight, lineHeight, spacing: 6 },
      layout: { paddingTop: 0, gap: 12, paddingBottom: 640 },
      loadDiffFiles: (fileDiff: FileDiffMetadata) => loadSides(fileOf(fileDiff)),
      ...(onComment === null
        ? {}
        : {
            onGutterUtilityClick: (range: SelectedLineRange, context: { item: { id: string } }) =>
              onComment(toPlace(context.item.id, range)),
          }),
      onPostRender: (
        element: HTMLElement,
        _instance: unknown,
        phase: string,
        context: { item: { id: string } },
      ) => {
        if (phase !== "unmount") makeReachable(element, context.item.id);
        highlightRanges(element, phase === "unmount" ? null : sought);
        if (phase === "mount") reportShown();
      },
    }),
    [layout, wraps, headerHeight, loadSides, onComment, sought, reportShown],
  );
}

/** Tells which files are near the screen, at most once a frame. */
function useShownReport(
  { files, onShown }: DiffViewProps,
  view: { current: CodeViewHandle<SlotContent, undefined> | null },
): () => void {
  const frame = useRef(0);
  const report = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const viewer = view.current?.getInstance();
      const rendered = viewer?.getRenderedItems() ?? [];
      if (viewer === undefined || rendered.length === 0) return;
      const scrollTop = viewer.getScrollTop() + 8;
      const above = rendered.filter(({ id }) => (viewer.getTopForItem(id) ?? Infinity) <= scrollTop);
      const current = above.at(-1) ?? rendered[0];
      if (current !== undefined)
        onShown(
          rendered.map(({ id }) => id),
          current.id,
        );
    });
  }, [onShown, view]);
  useEffect(report, [report, files]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return report;
}

const toLibrarySide = (side: Side): "deletions" | "additions" => (side === "old" ? "deletions" : "additions");

function toLibrarySelection({ path, side, startLine, endLine }: LinePlace): CodeViewLineSelection {
  const librarySide = toLibrarySide(side);
  return { id: path, range: { start: startLine, end: endLine, side: librarySide, endSide: librarySide } };
}

/** A range that begins on one side and ends on the other counts as its last line: a note has one side. */
function toPlace(
  path: string,
  { start, end, side = "additions", endSide = side }: SelectedLineRange,
): LinePlace {
  const first = side === endSide ? start : end;
  return {
    path,
    side: endSide === "deletions" ? "old" : "new",
    startLine: Math.min(first, end),
    endLine: Math.max(first, end),
  };
}

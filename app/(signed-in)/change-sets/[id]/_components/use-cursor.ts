"use client";

import { useCallback, useMemo, useRef, useState, type RefObject } from "react";
import type { DiffViewHandle } from "@/app/_diff/diff-view";
import { cachedRows, type LineRow } from "@/app/_diff/line-rows";
import type { ParsedBody } from "@/app/_diff/parsed-body";
import type { PatchStore } from "@/app/_diff/patch-store";
import type { DiffFile, LinePlace } from "@/app/_diff/places";

interface CursorInput {
  files: readonly DiffFile[];
  store: PatchStore<ParsedBody>;
  isFolded: (path: string) => boolean;
  setFolded: (path: string, isFolded: boolean) => void;
  view: RefObject<DiffViewHandle | null>;
}

/** Where a reader is: the file at the top of the screen or gone to, and the lines chosen in it. */
export interface Cursor {
  current: string | null;
  /** What is on the screen now; a file that was gone to stays the current one until somebody scrolls away. */
  seeFiles: (paths: readonly string[], top: string) => void;
  letGo: () => void;
  selection: LinePlace | null;
  select: (place: LinePlace | null) => void;
  goToFile: (path: string) => void;
  goToLine: (place: LinePlace) => void;
  stepFile: (step: 1 | -1) => void;
  stepChange: (step: 1 | -1) => void;
  stepLine: (step: 1 | -1, extends_: boolean) => void;
  /** The chosen line as a sentence, for who cannot see it. */
  spoken: string;
}

export function useCursor({ files, store, isFolded, setFolded, view }: CursorInput): Cursor {
  const { current, hold, seeFiles, letGo } = useCurrentFile();
  const [selection, select] = useState<LinePlace | null>(null);
  const index = useMemo(() => new Map(files.map((file, at) => [file.path, at])), [files]);
  const rowsOfPath = useCallback(
    (path: string): LineRow[] => {
      const state = store.get(path);
      return state.status === "ready" && !isFolded(path) ? cachedRows(state.body.fileDiff) : [];
    },
    [store, isFolded],
  );
  const goToFile = useCallback(
    (path: string) => {
      hold(path);
      select(null);
      view.current?.showFile(path);
    },
    [view, hold],
  );
  const goToLine = useCallback(
    (place: LinePlace) => {
      setFolded(place.path, false);
      hold(place.path);
      select(place);
      // The list has to know that the file is open before it can go to a line of it.
      requestAnimationFrame(() => view.current?.showLine(place, "center"));
    },
    [setFolded, view, hold],
  );
  const at = (current === null ? undefined : index.get(current)) ?? -1;
  const stepFile = (step: 1 | -1): void => {
    const next = files[Math.min(Math.max(at + step, 0), files.length - 1)];
    if (next !== undefined) goToFile(next.path);
  };
  const stepChange = (step: 1 | -1): void => {
    for (let file = Math.max(at, 0); file >= 0 && file < files.length; file += step) {
      const path = files[file]?.path ?? "";
      const rows = rowsOfPath(path);
      const here =
        file === at && selection?.path === path ? rowIndex(rows, selection) : step > 0 ? -1 : rows.length;
      const found = findFrom(rows, here, step);
      if (found !== undefined) return goToLine(toPlace(path, found));
    }
  };
  const stepLine = (step: 1 | -1, isExtending: boolean): void => {
    const path = selection?.path ?? current;
    if (path === null) return;
    const rows = rowsOfPath(path);
    const here = selection === null ? -1 : rowIndex(rows, selection);
    const next = rows[here < 0 ? 0 : Math.min(Math.max(here + step, 0), rows.length - 1)];
    if (next === undefined) return;
    const place = isExtending && selection !== null ? extend(selection, next, step) : toPlace(path, next);
    hold(path);
    select(place);
    view.current?.showLine(place, "nearest");
  };
  const spoken = selection === null ? "" : speak(rowsOfPath(selection.path), selection);
  return {
    current,
    seeFiles,
    letGo,
    selection,
    select,
    goToFile,
    goToLine,
    stepFile,
    stepChange,
    stepLine,
    spoken,
  };
}

/** The file at the top of the screen, or the one that was gone to, for as long as it can be seen. */
function useCurrentFile(): Pick<Cursor, "current" | "seeFiles" | "letGo"> & { hold: (path: string) => void } {
  const [current, setCurrent] = useState<string | null>(null);
  const held = useRef<string | null>(null);
  const hold = useCallback((path: string) => {
    held.current = path;
    setCurrent(path);
  }, []);
  const seeFiles = useCallback((paths: readonly string[], top: string) => {
    if (held.current !== null && paths.includes(held.current)) return;
    held.current = null;
    setCurrent(top);
  }, []);
  const letGo = useCallback(() => {
    held.current = null;
  }, []);
  return { current, hold, seeFiles, letGo };
}

function rowIndex(rows: readonly LineRow[], { side, endLine }: LinePlace): number {
  return rows.findIndex((row) => (side === "old" ? row.oldLine : row.newLine) === endLine);
}

function findFrom(rows: readonly LineRow[], from: number, step: 1 | -1): LineRow | undefined {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if (rows[index]?.startsChange === true) return rows[index];
  }
  return undefined;
}

function toPlace(path: string, row: LineRow): LinePlace {
  return { path, side: row.side, startLine: row.line, endLine: row.line };
}

/** A range stays on the side where it began. */
function extend(selection: LinePlace, next: LineRow, step: 1 | -1): LinePlace {
  const line = selection.side === "old" ? next.oldLine : next.newLine;
  if (line === null) return selection;
  return step > 0
    ? { ...selection, endLine: Math.max(line, selection.startLine) }
    : {
        ...selection,
        startLine: Math.min(selection.startLine, line),
        endLine: Math.max(selection.endLine, line),
      };
}

function speak(rows: readonly LineRow[], selection: LinePlace): string {
  const row = rows[rowIndex(rows, selection)];
  if (selection.startLine !== selection.endLine) {
    return `Lines ${selection.startLine} to ${selection.endLine} of the ${selection.side} side`;
  }
  const words = { added: "added", removed: "removed", context: "unchanged" };
  return row === undefined ? "" : `Line ${row.line}, ${words[row.kind]}: ${row.text}`;
}

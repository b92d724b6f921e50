"use client";

import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { DiffLooks, DiffViewHandle } from "@/app/_diff/diff-view";
import type { ChangeSetView, CommentPlace, Desk } from "./desk";
import { headerHeights } from "./file-header";
import { usePreferences, type Preferences } from "@/app/_diff/preferences";
import { filterFiles, noFilter, orderFiles, type FileFilter } from "./tree-rows";
import { useAgainst } from "./use-against";
import { useCursor } from "./use-cursor";
import { useDiffSource } from "@/app/_diff/use-diff-source";
import { useFolds, useGrowingSet } from "./use-marks";
import { useNarrow } from "./use-narrow";
import { useReviewParts } from "./use-review-parts";

/** All that the review page knows and does, for its parts to show. */
export function useReview(changeSet: ChangeSetView) {
  const isNarrow = useNarrow();
  const [preferences, change] = usePreferences();
  const [against, setAgainst] = useAgainst(whatWasReviewed(changeSet) ?? "base");
  const { whitespace, context, order } = preferences;
  const source = useDiffSource({ changeSetId: changeSet.id, against, whitespace, context });
  const { store, revision } = source;
  const { versions } = changeSet;
  const fileByPath = useMemo(() => new Map(source.files.map((file) => [file.path, file])), [source.files]);
  const hasFile = useCallback((path: string) => fileByPath.has(path), [fileByPath]);
  const parts = useReviewParts({ changeSet, against, hasFile });
  const { isFolded, setFolded } = useFolds(fileByPath, parts.isViewed);
  const { hidesLines, showLines } = useHiddenLines(store);
  const [filter, setFilter] = useState<FileFilter>(noFilter);
  const files = useMemo(() => {
    const marks = { isViewed: parts.isViewed, hasNotes: (path: string) => parts.noteCount(path).total > 0 };
    return orderFiles(filterFiles(source.files, filter, marks), order);
  }, [source.files, filter, parts, order]);
  const view = useRef<DiffViewHandle>(null);
  const cursor = useCursor({ files, store, isFolded, setFolded, view });
  useSamePlace(store, cursor.current, view);
  const [table, showTable] = useState<string | null>(null);
  const comment = useOpenFileComment(parts.comment, setFolded);
  const desk: Desk = useMemo(
    () => ({
      changeSet,
      against,
      fileByPath,
      store,
      isFolded,
      setFolded,
      hidesLines,
      showLines,
      isViewed: parts.isViewed,
      setViewed: parts.setViewed,
      noteCount: parts.noteCount,
      comment,
      showTable,
      isNarrow,
    }),
    [
      changeSet,
      against,
      fileByPath,
      store,
      isFolded,
      setFolded,
      hidesLines,
      showLines,
      parts,
      comment,
      isNarrow,
    ],
  );
  const looks = useLooks(preferences, isNarrow);
  return {
    changeSet,
    versions,
    isNarrow,
    preferences,
    change,
    against,
    setAgainst,
    source,
    revision,
    files,
    filter,
    setFilter,
    view,
    cursor,
    desk,
    looks,
    parts,
    table,
    showTable,
  };
}

/** On return, what changed since one's own last review: nobody should have to read the same lines twice. */
function whatWasReviewed({ versions, version, lastReviewedVersion }: ChangeSetView): string | null {
  if (lastReviewedVersion === null || lastReviewedVersion >= version) return null;
  return versions.find((other) => other.version === lastReviewedVersion)?.id ?? null;
}

export type ReviewModel = ReturnType<typeof useReview>;

/** Another comparison begins where the one before it was being read. */
function useSamePlace(
  store: Desk["store"],
  current: string | null,
  view: RefObject<DiffViewHandle | null>,
): void {
  const before = useRef({ store, current });
  useEffect(() => {
    const { store: storeBefore, current: currentBefore } = before.current;
    before.current = { store, current };
    if (storeBefore === store || currentBefore === null) return;
    requestAnimationFrame(() => view.current?.showFile(currentBefore));
  }, [store, current, view]);
}

/** Lines that are the same but for their ends stay away until somebody wants to see them. */
function useHiddenLines(store: Desk["store"]): Pick<Desk, "hidesLines" | "showLines"> {
  const { has, add } = useGrowingSet();
  const hidesLines = useCallback(
    (path: string) => {
      const state = store.get(path);
      return state.status === "ready" && state.body.isOnlyEndings && !has(path);
    },
    [store, has],
  );
  return { hidesLines, showLines: add };
}

function useLooks(preferences: Preferences, isNarrow: boolean): DiffLooks {
  const { wraps, tabWidth, marksWords } = preferences;
  const layout = isNarrow ? "unified" : preferences.layout;
  return useMemo(() => {
    const headerHeight = isNarrow ? headerHeights.narrow : headerHeights.wide;
    return { layout, wraps, tabWidth, marksWords, headerHeight };
  }, [layout, wraps, tabWidth, marksWords, isNarrow]);
}

/** An editor stands among the lines of its file, so the file has to be open. */
function useOpenFileComment(comment: Desk["comment"], setFolded: Desk["setFolded"]): Desk["comment"] {
  return useCallback(
    (place: CommentPlace) => {
      if (place.kind === "file") setFolded(place.path, false);
      comment(place);
    },
    [comment, setFolded],
  );
}

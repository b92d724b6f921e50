"use client";

import { useShortcuts } from "@/app/_ui/shortcuts";
import { wholeFile } from "@/app/_diff/patch-store";
import type { Cursor } from "./use-cursor";
import type { CommentPlace, Desk } from "./desk";
import type { Preferences } from "@/app/_diff/preferences";

interface KeysInput {
  cursor: Cursor;
  desk: Desk;
  preferences: Preferences;
  change: (next: Partial<Preferences>) => void;
  openFind: () => void;
  stepThread: (step: 1 | -1) => void;
  stepVersion: (step: 1 | -1) => void;
  reply: () => void;
  finish: () => void;
}

const spaces: Record<Preferences["whitespace"], Preferences["whitespace"]> = {
  none: "trailing",
  trailing: "all",
  all: "none",
};

/** The keys of the review page. All can be done with the pointer too. */
export function useReviewKeys(input: KeysInput): void {
  const { cursor, desk, preferences, change } = input;
  const { current } = cursor;
  useShortcuts("Review", [
    { keys: "j", label: "Next file", run: () => cursor.stepFile(1) },
    { keys: "k", label: "File before", run: () => cursor.stepFile(-1) },
    { keys: "n", label: "Next change", run: () => cursor.stepChange(1) },
    { keys: "p", label: "Change before", run: () => cursor.stepChange(-1) },
    { keys: "shift+n", label: "Next thread", run: () => input.stepThread(1) },
    { keys: "shift+p", label: "Thread before", run: () => input.stepThread(-1) },
    { keys: "v", label: "Mark as viewed and go on", run: () => markAndGoOn(desk, cursor) },
    { keys: "c", label: "Comment on the line or file", run: () => desk.comment(placeOf(cursor)) },
    { keys: "r", label: "Reply to the thread", run: input.reply },
    {
      keys: "o",
      label: "Open or fold the file",
      run: () => current !== null && desk.setFolded(current, !desk.isFolded(current)),
    },
    {
      keys: "e",
      label: "Show the whole file",
      run: () => {
        if (current === null) return;
        desk.setFolded(current, false);
        desk.store.reload(current, { context: wholeFile });
      },
    },
    {
      keys: "w",
      label: "White space: next way",
      run: () => change({ whitespace: spaces[preferences.whitespace] }),
    },
    {
      keys: "s",
      label: "Split or unified",
      run: () => change({ layout: preferences.layout === "split" ? "unified" : "split" }),
      enabled: !desk.isNarrow,
    },
    { keys: "t", label: "Show or hide the files", run: () => change({ showsTree: !preferences.showsTree }) },
    { keys: "/", label: "Find in changes", run: input.openFind },
    { keys: "[", label: "Version before", run: () => input.stepVersion(-1) },
    { keys: "]", label: "Next version", run: () => input.stepVersion(1) },
    { keys: "a", label: "Finish the review", run: input.finish },
    {
      keys: "escape",
      label: "Let go of the lines",
      run: () => cursor.select(null),
      enabled: cursor.selection !== null,
    },
  ]);
}

function placeOf({ selection, current }: Cursor): CommentPlace {
  if (selection !== null) return { kind: "lines", place: selection };
  return current === null ? { kind: "all" } : { kind: "file", path: current };
}

function markAndGoOn(desk: Desk, cursor: Cursor): void {
  const { current } = cursor;
  if (current === null) return cursor.stepFile(1);
  const isViewed = !desk.isViewed(current);
  desk.setViewed(current, isViewed);
  desk.setFolded(current, isViewed);
  if (isViewed) cursor.stepFile(1);
}

"use client";

import { useState, type RefObject } from "react";
import type { DiffViewHandle } from "@/app/_diff/diff-view";
import type { DiffFile } from "@/app/_diff/places";
import type { Spot } from "../_review/notes-of";
import { threadKey } from "../_review/notes-of";
import type { ReviewParts } from "./use-review-parts";
import type { Cursor } from "./use-cursor";

interface WalkInput {
  files: readonly DiffFile[];
  parts: ReviewParts;
  cursor: Cursor;
  view: RefObject<DiffViewHandle | null>;
}

/** Goes from thread to thread in the order of the page, and answers in the one that was gone to. */
export interface ThreadWalk {
  /** The thread that was gone to, as long as nobody went elsewhere. */
  currentId: string | null;
  step: (step: 1 | -1) => void;
  reply: () => void;
}

const linesMax = 1e7;

export function useThreadWalk({ files, parts, cursor, view }: WalkInput): ThreadWalk {
  const [chosen, choose] = useState<string | null>(null);
  const { threads, spots } = parts.data;
  const { selection, current } = cursor;
  const orderOf = (): ((path: string, line: number) => number) => {
    const order = new Map(files.map(({ path }, index) => [path, index]));
    return (path, line) => (order.get(path) ?? 0) * linesMax + line;
  };
  const isHere = (spot: Spot): boolean => {
    if (spot.kind === "line") {
      const { path, side, endLine } = spot.place;
      return selection?.path === path && selection.side === side && selection.endLine === endLine;
    }
    if (selection !== null) return false;
    return current === null || current === (spot.kind === "file" ? spot.path : files[0]?.path);
  };
  const chosenSpot = chosen === null ? undefined : spots.get(threadKey(chosen));
  const currentId = chosenSpot !== undefined && isHere(chosenSpot) ? chosen : null;
  const step = (by: 1 | -1): void => {
    const rank = orderOf();
    const stops = threads
      .flatMap(({ id }) => {
        const spot = spots.get(threadKey(id));
        return spot === undefined ? [] : [{ id, spot, rank: rankOf(spot, rank) }];
      })
      .sort((one, other) => one.rank - other.rank);
    const at = stops.findIndex(({ id }) => id === currentId);
    const here =
      selection !== null ? rank(selection.path, selection.endLine) : rank(current ?? "", by > 0 ? -1 : 0);
    const next =
      at >= 0
        ? stops[at + by]
        : by > 0
          ? stops.find((stop) => stop.rank > here)
          : stops.findLast((stop) => stop.rank < here);
    if (next === undefined) return;
    choose(next.id);
    if (next.spot.kind === "line") cursor.goToLine(next.spot.place);
    else if (next.spot.kind === "file") cursor.goToFile(next.spot.path);
    else {
      cursor.select(null);
      cursor.letGo();
      view.current?.showTop();
    }
  };
  const reply = (): void => {
    const here = threads.find(({ id }) => {
      const spot = spots.get(threadKey(id));
      return spot?.kind === "line" && isHere(spot);
    });
    const id = currentId ?? here?.id;
    if (id !== undefined) parts.reply(id);
  };
  return { currentId, step, reply };
}

function rankOf(spot: Spot, rank: (path: string, line: number) => number): number {
  if (spot.kind === "top") return -linesMax;
  return spot.kind === "file" ? rank(spot.path, 0) : rank(spot.place.path, spot.place.endLine);
}

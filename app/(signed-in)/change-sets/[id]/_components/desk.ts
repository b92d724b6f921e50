"use client";

import type { inferRouterOutputs } from "@trpc/server";
import { createContext, useContext } from "react";
import type { AppRouter } from "@/server/api/root";
import type { ParsedBody } from "@/app/_diff/parsed-body";
import type { PatchStore } from "@/app/_diff/patch-store";
import type { DiffFile, LinePlace } from "@/app/_diff/places";

export type ChangeSetView = inferRouterOutputs<AppRouter>["changeSet"]["get"];

export type Version = ChangeSetView["versions"][number];

/** What a person says something about: lines, a file, or the whole ChangeSet. */
export type CommentPlace =
  { kind: "lines"; place: LinePlace } | { kind: "file"; path: string } | { kind: "all" };

export interface NoteCount {
  total: number;
  unresolved: number;
}

/** What every part of the review page shares about the diff that is on it. */
export interface Desk {
  changeSet: ChangeSetView;
  /** "base", or the ChangeSet whose head is the old side. */
  against: string;
  fileByPath: ReadonlyMap<string, DiffFile>;
  store: PatchStore<ParsedBody>;
  isFolded: (path: string) => boolean;
  setFolded: (path: string, isFolded: boolean) => void;
  /** Its lines stay away although they are here, until somebody wants them. */
  hidesLines: (path: string) => boolean;
  showLines: (path: string) => void;
  isViewed: (path: string) => boolean;
  setViewed: (path: string, isViewed: boolean) => void;
  noteCount: (path: string) => NoteCount;
  comment: (place: CommentPlace) => void;
  showTable: (path: string) => void;
  isNarrow: boolean;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("useDesk stands outside of the review page.");
  return desk;
}

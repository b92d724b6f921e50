import { emptyTree, type DiffFile, type GitService } from "../../git/types";
import { DomainError } from "../../platform/errors";
import type { ChangeSetRecord } from "../types";
import { mapRange } from "./line-map";
import { readPatch, type PatchLines } from "./patch-lines";
import type { Anchor, AnchoredCode, LineAnchor, Placement, PlacedAnchor } from "./types";

type AnchorGit = Pick<GitService, "diffFiles" | "diffPatch">;
type Commits = Pick<ChangeSetRecord, "projectId" | "baseCommit" | "headCommit">;

/** Looks anchors up in git. Commits do not change, so every answer stays true. */
export interface Anchors {
  /**
   * The text that an anchor's lines have. Errors: `file.not_found`, `input.invalid` for lines that are not there,
   * `git.unavailable`.
   */
  read(changeSet: Commits, anchor: Anchor): Promise<PlacedAnchor>;
  /**
   * Where an anchor of one version is in another version of the same series. Without `oldPath` git is asked for it.
   * Errors: `git.unavailable`.
   */
  place(from: Commits, placed: Pick<PlacedAnchor, "anchor" | "oldPath">, to: Commits): Promise<Placement>;
}

/** More lines than any file has that a patch of 10 MiB can show. */
const wholeFile = 100_000;
const linesAround = 3;
const linesAtOnceMax = 500;

export function createAnchors({ git }: { git: AnchorGit }): Anchors {
  return {
    read: async (changeSet, anchor) => {
      if (anchor === null) return { anchor, oldPath: null, code: null };
      const file = await findFile(git, changeSet, anchor.path);
      if (!("side" in anchor)) {
        if (file === null) await readUnchanged(git, changeSet, anchor.path);
        return { anchor, oldPath: file?.oldPath ?? anchor.path, code: null };
      }
      const lines =
        file === null
          ? await readUnchanged(git, changeSet, anchor.path)
          : await readChanged(git, changeSet, anchor.path);
      return { anchor, oldPath: file?.oldPath ?? anchor.path, code: cutOut(lines[anchor.side], anchor) };
    },
    place: async (from, { anchor, oldPath }, to) => {
      if (anchor === null) return { status: "whole", path: null, startLine: null, endLine: null };
      if ("side" in anchor && anchor.side === "old") return placeOld(git, from, anchor, oldPath, to);
      return placeNew(git, from, anchor, to);
    },
  };
}

async function findFile(git: AnchorGit, changeSet: Commits, path: string): Promise<DiffFile | null> {
  const { projectId, baseCommit: base, headCommit: head } = changeSet;
  const files = await git.diffFiles({ projectId, base, head });
  return files.find((file) => file.path === path) ?? null;
}

async function readChanged(git: AnchorGit, changeSet: Commits, path: string): Promise<PatchLines> {
  const { projectId, baseCommit: base, headCommit: head } = changeSet;
  const { patch, encoding } = await git.diffPatch({ projectId, base, head, path, context: wholeFile });
  return readPatch(toText(patch, encoding)).lines;
}

/** A file that the ChangeSet leaves alone reads the same on both sides. */
async function readUnchanged(git: AnchorGit, changeSet: Commits, path: string): Promise<PatchLines> {
  const { projectId, headCommit: head } = changeSet;
  const { patch, encoding } = await git.diffPatch({ projectId, base: emptyTree, head, path });
  const { lines } = readPatch(toText(patch, encoding));
  return { old: lines.new, new: lines.new };
}

function toText(patch: string, encoding: "utf8" | "base64"): string {
  return encoding === "utf8" ? patch : Buffer.from(patch, "base64").toString("utf8");
}

function cutOut(lines: ReadonlyMap<number, string>, { startLine, endLine }: LineAnchor): AnchoredCode {
  if (endLine - startLine >= linesAtOnceMax) {
    throw new DomainError("input.invalid", `endLine: at most ${linesAtOnceMax} lines at once`, {
      field: "endLine",
    });
  }
  const between = (first: number, last: number): string[] => {
    const found: string[] = [];
    for (let line = first; line <= last; line++) {
      const text = lines.get(line);
      if (text !== undefined) found.push(text);
    }
    return found;
  };
  const cut = between(startLine, endLine);
  if (cut.length !== endLine - startLine + 1) {
    throw new DomainError("input.invalid", "startLine, endLine: this side of the file has no such lines", {
      field: "startLine",
    });
  }
  return {
    lines: cut,
    before: between(startLine - linesAround, startLine - 1),
    after: between(endLine + 1, endLine + linesAround),
  };
}

/** The base is the same in the whole series: its lines stay where they are, as long as the file is part of the diff. */
async function placeOld(
  git: AnchorGit,
  from: Commits,
  { path, startLine, endLine }: LineAnchor,
  oldPath: string | null,
  to: Commits,
): Promise<Placement> {
  if (from.headCommit === to.headCommit) return { status: "same", path, startLine, endLine };
  const { projectId, baseCommit: base, headCommit: head } = to;
  const pathInBase = oldPath ?? (await findFile(git, from, path))?.oldPath ?? path;
  const file = (await git.diffFiles({ projectId, base, head })).find(
    (one) => one.old !== null && one.oldPath === pathInBase,
  );
  if (file === undefined) return fileGone;
  return { status: file.path === path ? "same" : "moved", path: file.path, startLine, endLine };
}

async function placeNew(
  git: AnchorGit,
  from: Commits,
  anchor: { path: string } | LineAnchor,
  to: Commits,
): Promise<Placement> {
  const { path } = anchor;
  const range = { projectId: to.projectId, base: from.headCommit, head: to.headCommit };
  const file =
    from.headCommit === to.headCommit
      ? undefined
      : (await git.diffFiles(range)).find((one) => one.old !== null && one.oldPath === path);
  if (file?.status === "deleted") return fileGone;
  const newPath = file?.path ?? path;
  if (!("side" in anchor)) return { status: "whole", path: newPath, startLine: null, endLine: null };
  const { startLine, endLine } = anchor;
  if (file === undefined) return { status: "same", path, startLine, endLine };
  if (file.kind !== "text") return { status: "changed", path: newPath, startLine, endLine };
  const { patch, encoding } = await git.diffPatch({ ...range, path: newPath, context: 0 });
  const mapped = mapRange(readPatch(toText(patch, encoding)).hunks, { startLine, endLine });
  const isRenamed = mapped.status === "same" && newPath !== path;
  return { ...mapped, status: isRenamed ? "moved" : mapped.status, path: newPath };
}

const fileGone: Placement = { status: "file_gone", path: null, startLine: null, endLine: null };

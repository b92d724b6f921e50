import { isUtf8 } from "node:buffer";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "../platform/ids";
import { diffMs, plain, whitespaceOptions } from "./diff-options";
import type { RawEntry } from "./diff-raw";
import { modes } from "./diff-rows";
import { GitFailure, type Git } from "./git-command";
import { sectionHeader, splitSections } from "./patch-sections";
import { writePathTree, type TreeLeaf } from "./path-tree";
import type { Places } from "./places";
import type { ControlInput } from "./schema";
import type { DiffPatch, PathPatch } from "./types";

/** A file whose patch is asked for. */
export interface AskedFile {
  path: string;
  entry: RawEntry;
  /** Whether it is compared as text although git would call it binary. */
  isTextForced: boolean;
}

/** Reads patches, many in one call of git where each of them stays byte for byte what it would be alone. */
export interface Patches {
  read(input: PatchOptions, files: readonly AskedFile[]): Promise<PathPatch[]>;
}

type PatchOptions = Omit<ControlInput<"diffPatch">, "path">;

interface Deps {
  git: Git;
  places: Places;
  ids: Ids;
}

const patchBytesMax = 10 * 1024 * 1024;

export function createPatches(deps: Deps): Patches {
  return {
    read: async (input, files) => {
      const done = new Map<string, DiffPatch>();
      let bytesLeft = patchBytesMax;
      for (const group of groupsOf(files)) {
        const found = await readGroup(deps, input, group, Math.max(bytesLeft, 1));
        for (const [path, patch] of found) {
          done.set(path, patch);
          bytesLeft -= patch.patch.length;
        }
      }
      return files.map(({ path }) => ({ path, ...(done.get(path) ?? cutOff) }));
    },
  };
}

const cutOff: DiffPatch = { patch: "", encoding: "utf8", truncated: true };

/**
 * Files that can be compared in one call. A file that is new is never beside one that is gone, since git could take the two for
 * a renamed one; a renamed one and one whose kind changed, which git writes in two parts, are compared alone.
 */
function groupsOf(files: readonly AskedFile[]): AskedFile[][] {
  const groups = new Map<string, AskedFile[]>();
  for (const file of files) {
    const { status, oldPath, newPath } = file.entry;
    const isAlone = status === "T" || !oldPath.equals(newPath);
    const kind = isAlone ? file.path : status === "D" ? "gone" : "there";
    const key = `${kind} ${String(file.isTextForced)} ${isAlone ? "alone" : ""}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()];
}

async function readGroup(
  deps: Deps,
  input: PatchOptions,
  group: readonly AskedFile[],
  bytesMax: number,
): Promise<[string, DiffPatch][]> {
  const { bytes, isTruncated } = await compareTrees(deps, input, group, bytesMax);
  const [only, ...others] = group;
  if (only === undefined) return [];
  if (others.length === 0) return [[only.path, toPatch(bytes, isTruncated)]];
  const sections = splitSections(bytes);
  // What is left of the last file is no patch: it is asked for again, alone.
  if (isTruncated) sections.delete([...sections.keys()].at(-1) ?? "");
  return group.flatMap(({ path, entry }): [string, DiffPatch][] => {
    const section = sections.get(sectionHeader(entry.newPath));
    if (section !== undefined) return [[path, toPatch(section, false)]];
    // Nothing but white space differs, and that is left out.
    return isTruncated ? [] : [[path, toPatch(Buffer.alloc(0), false)]];
  });
}

async function compareTrees(
  deps: Deps,
  input: PatchOptions,
  group: readonly AskedFile[],
  bytesMax: number,
): Promise<{ bytes: Buffer; isTruncated: boolean }> {
  const { kept } = deps.places.project(input.projectId);
  const scratch = join(deps.places.scratch, deps.ids.uuid());
  await mkdir(scratch, { recursive: true });
  try {
    const old = group.flatMap(({ entry }) => leafOf(entry.oldPath, entry.oldMode, entry.oldId));
    const now = group.flatMap(({ entry }) => leafOf(entry.newPath, entry.newMode, entry.newId));
    const args = [
      "diff",
      ...plain,
      `--unified=${input.context}`,
      ...whitespaceOptions[input.whitespace],
      ...(group.some(({ isTextForced }) => isTextForced) ? ["--text"] : []),
      "--end-of-options",
      await writePathTree(scratch, old),
      await writePathTree(scratch, now),
    ];
    const env = { GIT_OBJECT_DIRECTORY: scratch, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(kept, "objects") };
    const limits = { stdoutBytesMax: bytesMax, timeoutMs: diffMs };
    const { exitCode, stdout, stderr, isTruncated } = await deps.git.run(
      { args, gitDirectory: kept, env },
      limits,
    );
    if (exitCode !== 0 && !isTruncated) throw new GitFailure("diff", exitCode, stderr);
    const bytes = isTruncated ? stdout.subarray(0, stdout.lastIndexOf(0x0a) + 1) : stdout;
    return { bytes, isTruncated };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function leafOf(path: Buffer, mode: string, objectId: string): TreeLeaf[] {
  return mode === modes.none ? [] : [{ path, mode, objectId }];
}

function toPatch(bytes: Buffer, truncated: boolean): DiffPatch {
  return isUtf8(bytes)
    ? { patch: bytes.toString("utf8"), encoding: "utf8", truncated }
    : { patch: bytes.toString("base64"), encoding: "base64", truncated };
}

import { once } from "node:events";
import { DomainError } from "../platform/errors";
import { createBlobs } from "./blobs";
import { modes } from "./diff-rows";
import { noSuchFile, type Diffs } from "./diffs";
import { GitFailure, type Git } from "./git-command";
import type { Places } from "./places";
import type { ControlInput } from "./schema";
import type { OpenedSide } from "./types";

/** Reads one side of a file that differs. */
export interface Sides {
  read(input: ControlInput<"readSide">): Promise<{ base64: string; sizeBytes: number; truncated: boolean }>;
  open(input: ControlInput<"openSide">): Promise<OpenedSide>;
}

interface Deps {
  git: Git;
  places: Places;
  diffs: Pick<Diffs, "entry">;
}

interface Blob {
  id: string;
  gitDirectory: string;
  sizeBytes: number;
}

export function createSides(deps: Deps): Sides {
  const { git, places, diffs } = deps;
  const blobs = createBlobs(git);
  const find = async ({ path, side, ...range }: ControlInput<"readSide">): Promise<Blob> => {
    const { oldMode, oldId, newMode, newId } = await diffs.entry(range, path);
    const [mode, id] = side === "old" ? [oldMode, oldId] : [newMode, newId];
    if (mode === modes.none || mode === modes.submodule) throw noSuchFile(path);
    const { kept } = places.project(range.projectId);
    return { id, gitDirectory: kept, sizeBytes: (await blobs.sizes(kept, [id])).get(id) ?? 0 };
  };
  return {
    read: async (input) => {
      const { id, gitDirectory, sizeBytes } = await find(input);
      if (sizeBytes > input.bytesMax) return { base64: "", sizeBytes, truncated: true };
      const content = await git.succeed(
        { args: ["cat-file", "blob", id], gitDirectory },
        { stdoutBytesMax: input.bytesMax + 1 },
      );
      return { base64: content.toString("base64"), sizeBytes, truncated: false };
    },
    open: async (input) => {
      const blob = await find(input);
      if (blob.sizeBytes > input.bytesMax)
        throw new DomainError("limit.size", "This file is too large to be handed out here.", {
          sizeBytes: blob.sizeBytes,
        });
      return { sizeBytes: blob.sizeBytes, bytes: streamBlob(git, blob) };
    },
  };
}

/** git starts when the first piece is asked for, and is ended when the reader gives up. */
async function* streamBlob(git: Git, { id, gitDirectory }: Blob): AsyncGenerator<Uint8Array> {
  const child = git.start({ args: ["cat-file", "blob", id], gitDirectory });
  const closed = once(child, "close") as Promise<[number | null]>;
  try {
    child.stdin.end();
    child.stderr.resume();
    for await (const piece of child.stdout as AsyncIterable<Buffer>) yield piece;
    const [exitCode] = await closed;
    if (exitCode !== 0) throw new GitFailure("cat-file", exitCode, "");
  } finally {
    await git.end(child);
  }
}

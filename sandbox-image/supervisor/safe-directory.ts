import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, type BigIntStats } from "node:fs";
import { DomainError } from "../../server/platform/errors";
import { outsideWorkspace } from "./path-rules";

const directoryFlags =
  constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A directory held by its descriptor: whatever is renamed meanwhile, it stays the one that was checked. */
export interface SafeDirectory {
  readonly fd: number;
  /** The path by which the kernel reaches `name` from the descriptor, as `openat` would. */
  entry(name: string | Buffer): Buffer;
  close(): void;
}

/**
 * Opens `root`, then goes down one component at a time, following no link, and gives the last directory to `act`.
 * Every descriptor is closed afterwards. With `create`, directories that are missing are made.
 * Errors: `path.outside_workspace` for a link on the way, `file.not_found` for a missing one.
 */
export function withDirectory<Result>(
  root: string,
  components: readonly string[],
  act: (directory: SafeDirectory) => Result,
  create = false,
): Result {
  let directory = openRoot(root);
  try {
    for (const component of components) {
      if (create) makeDirectory(directory.entry(component));
      const next = openDirectory(directory.entry(component));
      directory.close();
      directory = next;
    }
    return act(directory);
  } finally {
    directory.close();
  }
}

/** Opens a directory that is no link. Errors: `file.not_found`, `path.outside_workspace`. */
export function openDirectory(path: Buffer): SafeDirectory {
  const before = lstatEntry(path);
  if (before.isSymbolicLink()) throw outsideWorkspace("A link stands on the way: links are not followed.");
  if (!before.isDirectory()) throw new DomainError("file.not_found", "There is no such file.");
  const fd = openSync(path, directoryFlags);
  // gVisor follows a link here in spite of the flags, so what was opened has to be what was looked at.
  if (!isSame(fstatSync(fd, { bigint: true }), before)) {
    closeSync(fd);
    throw outsideWorkspace("The directory was exchanged while it was opened.");
  }
  return toDirectory(fd);
}

export function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** Looks at the entry itself, never at what it points to. Errors: `file.not_found`. */
export function lstatEntry(path: Buffer): BigIntStats {
  return lstatSync(path, { bigint: true });
}

function openRoot(root: string): SafeDirectory {
  let directory = toDirectory(openSync("/", directoryFlags));
  for (const component of root.split("/").filter((part) => part !== "")) {
    const parent = directory;
    try {
      directory = openDirectory(parent.entry(component));
    } finally {
      parent.close();
    }
  }
  return directory;
}

function makeDirectory(path: Buffer): void {
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function toDirectory(fd: number): SafeDirectory {
  const prefix = Buffer.from(`/proc/self/fd/${fd}/`);
  return {
    fd,
    entry: (name) => Buffer.concat([prefix, Buffer.isBuffer(name) ? name : Buffer.from(name)]),
    close: () => closeSync(fd),
  };
}

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { DomainError } from "../../server/platform/errors";
import { outsideWorkspace, parsePath } from "./path-rules";
import { isSame, lstatEntry, withDirectory } from "./safe-directory";

const permissionBits = 0o7777n;

/**
 * Reads at most `bytesMax` bytes of a regular file, however much it grows meanwhile. Never waits for a fifo or a device.
 * Errors: `file.not_found`, `file.not_regular`, `path.*`.
 */
export function readFileContent(input: { root: string; path: string; bytesMax: number; offset: number }): {
  bytes: Uint8Array;
  sizeBytes: number;
  mode: string;
  truncated: boolean;
} {
  const { parents, name } = parseFilePath(input.path);
  return withDirectory(input.root, parents, (directory) => {
    const path = directory.entry(name);
    const before = lstatEntry(path);
    if (before.isSymbolicLink()) throw outsideWorkspace("The path names a link: links are not followed.");
    if (!before.isFile()) throw notRegular();
    const fd = openSync(
      path,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
    try {
      const opened = fstatSync(fd, { bigint: true });
      if (!opened.isFile() || !isSame(opened, before))
        throw outsideWorkspace("The file was exchanged while it was opened.");
      const bytes = readUpTo(fd, input.offset, Math.min(input.bytesMax, Number(opened.size) + 1));
      const sizeBytes = Number(fstatSync(fd, { bigint: true }).size);
      return {
        bytes,
        sizeBytes,
        mode: modeText(opened.mode),
        truncated: input.offset + bytes.length < sizeBytes,
      };
    } finally {
      closeSync(fd);
    }
  });
}

/**
 * Puts a whole file in the place of what the path names, at once: a reader sees the old bytes or the new. Missing parents
 * are made. `mode` null keeps the mode that is there, else 0644. Never writes through a link.
 */
export function writeFileContent(input: {
  root: string;
  path: string;
  mode: number | null;
  bytes: Uint8Array;
}): {
  created: boolean;
  mode: string;
} {
  const { parents, name } = parseFilePath(input.path);
  return withDirectory(
    input.root,
    parents,
    (directory) => {
      const path = directory.entry(name);
      const before = findEntry(path);
      if (before?.isSymbolicLink()) throw outsideWorkspace("The path names a link: links are not followed.");
      if (before !== null && !before.isFile()) throw notRegular();
      const mode = input.mode ?? (before === null ? 0o644 : Number(before.mode & 0o777n));
      const temporary = directory.entry(`.rhumbatron-${randomBytes(16).toString("hex")}`);
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
      const fd = openSync(temporary, flags, 0o600);
      try {
        writeAll(fd, input.bytes);
        fchmodSync(fd, mode);
        renameSync(temporary, path);
      } catch (error) {
        unlinkSync(temporary);
        throw error;
      } finally {
        closeSync(fd);
      }
      return { created: before === null, mode: modeText(BigInt(mode)) };
    },
    true,
  );
}

/** Permission bits as text, `0644`. */
export function modeText(mode: bigint): string {
  return (mode & permissionBits).toString(8).padStart(4, "0");
}

function parseFilePath(path: string): { parents: string[]; name: string } {
  const components = parsePath(path);
  const name = components.pop();
  if (name === undefined || path.endsWith("/")) throw notRegular();
  return { parents: components, name };
}

function findEntry(path: Buffer): ReturnType<typeof lstatEntry> | null {
  try {
    return lstatEntry(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function readUpTo(fd: number, offset: number, byteCountMax: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(byteCountMax);
  let filled = 0;
  while (filled < byteCountMax) {
    const byteCount = readSync(fd, bytes, filled, byteCountMax - filled, offset + filled);
    if (byteCount === 0) break;
    filled += byteCount;
  }
  return bytes.subarray(0, filled);
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
}

function notRegular(): DomainError {
  return new DomainError("file.not_regular", "The path names no regular file.");
}

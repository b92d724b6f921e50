import { rmdirSync, unlinkSync } from "node:fs";
import { DomainError } from "../../server/platform/errors";
import { parseDirectoryRecords } from "./directory-records";
import type { ReadRecords } from "./file-list";
import { parsePath } from "./path-rules";
import { lstatEntry, openDirectory, withDirectory } from "./safe-directory";

const recordBytesMax = 16 * 1024;

/**
 * Removes what the path names, a link as the link that it is. A directory that is not empty goes only with `recursive`;
 * then everything below goes, by descriptors, no link entered. `deletedCount` counts every entry.
 * Errors: `path.reserved` for the root itself, `input.invalid` for a directory that is not empty.
 */
export function deleteEntry(
  input: { root: string; path: string; recursive: boolean },
  readRecords: ReadRecords,
): { deletedCount: number } {
  const components = parsePath(input.path);
  const name = components.pop();
  if (name === undefined) throw new DomainError("path.reserved", "The workspace itself cannot be deleted.");
  return withDirectory(input.root, components, (parent) => {
    const path = parent.entry(name);
    if (!lstatEntry(path).isDirectory()) {
      unlinkSync(path);
      return { deletedCount: 1 };
    }
    const belowCount = input.recursive ? emptyDirectory(path, readRecords) : 0;
    rmdirSync(path);
    return { deletedCount: belowCount + 1 };
  });
}

function emptyDirectory(path: Buffer, readRecords: ReadRecords): number {
  const directory = openDirectory(path);
  const buffer = new Uint8Array(recordBytesMax);
  let deletedCount = 0;
  try {
    for (;;) {
      const byteCount = readRecords(directory.fd, buffer);
      if (byteCount === 0) return deletedCount;
      for (const { name } of parseDirectoryRecords(buffer.subarray(0, byteCount))) {
        const entry = directory.entry(name);
        if (lstatEntry(entry).isDirectory()) {
          deletedCount += emptyDirectory(entry, readRecords);
          rmdirSync(entry);
        } else {
          unlinkSync(entry);
        }
        deletedCount += 1;
      }
    }
  } finally {
    directory.close();
  }
}

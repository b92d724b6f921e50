import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import type { KeptStore } from "./kept-output";

/** Keeps a stream in a file that has no name any more: it goes with the last one who holds it. */
export function createKeptFile(path: string): KeptStore {
  let fd: number | null = null;
  return {
    write: (offset, bytes) => {
      if (fd === null) {
        fd = openSync(path, "wx+", 0o600);
        unlinkSync(path);
      }
      let written = 0;
      while (written < bytes.length) {
        written += writeSync(fd, bytes, written, bytes.length - written, offset + written);
      }
    },
    read: (offset, target) => (fd === null ? 0 : readSync(fd, target, 0, target.length, offset)),
    close: () => {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

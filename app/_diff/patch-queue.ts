import { weigh } from "./file-weight";
import type { DiffFile } from "./places";

/** Paths that wait for their patch, in the order in which they are asked for. */
export interface PatchQueue {
  last: (paths: readonly string[]) => void;
  /** Puts those of them that still wait before all others. */
  raise: (paths: readonly string[]) => void;
  /** The next files that go well in one request: not too many, not too large together, with the same context. */
  take: () => { paths: string[]; context: number } | null;
}

const batchMax = { files: 24, changedLines: 6_000, pathCharacters: 5_000 };

export function createPatchQueue(
  fileByPath: ReadonlyMap<string, DiffFile>,
  contextOf: (path: string) => number,
): PatchQueue {
  let waiting: string[] = [];
  const take = (): { paths: string[]; context: number } | null => {
    const [next] = waiting;
    if (next === undefined) return null;
    const context = contextOf(next);
    const paths: string[] = [];
    let changedLines = 0;
    let pathCharacters = 0;
    for (const path of waiting) {
      const file = fileByPath.get(path);
      changedLines += file === undefined ? 0 : weigh(file).changedLines;
      pathCharacters += encodeURIComponent(path).length;
      const isFull =
        paths.length >= batchMax.files ||
        changedLines > batchMax.changedLines ||
        pathCharacters > batchMax.pathCharacters ||
        contextOf(path) !== context;
      if (paths.length > 0 && isFull) break;
      paths.push(path);
    }
    waiting = waiting.slice(paths.length);
    return { paths, context };
  };
  return {
    last: (paths) => {
      waiting = [...waiting, ...paths];
    },
    raise: (paths) => {
      const wanted = new Set(paths);
      const raised = waiting.filter((path) => wanted.has(path));
      if (raised.length > 0) waiting = [...raised, ...waiting.filter((path) => !wanted.has(path))];
    },
    take,
  };
}

import type { DiffFile } from "../git/types";

/** One path, and what each ChangeSet makes of it; null for one that leaves it alone. */
export interface ComparedFile {
  path: string;
  displayPath: string;
  sides: (DiffFile | null)[];
}

/** What several ChangeSets change, put beside each other. */
export interface Comparison {
  /** A page of all paths that one of them changes, in the order of their names. */
  files: ComparedFile[];
  /** All of them, on this page or not. */
  filesTotal: number;
  /** For each ChangeSet, how many paths it changes that no other does. */
  filesOnlyThere: number[];
  /** The last path of the page when more follow. */
  nextCursor: string | null;
}

/** Puts the files of several ChangeSets beside each other. `after`: the last path of the page before. */
export function sideBySide(
  changed: readonly (readonly DiffFile[])[],
  page: { after: string | null; limit: number },
): Comparison {
  const byPath = new Map<string, ComparedFile>();
  changed.forEach((files, place) => {
    for (const file of files) {
      const { path, displayPath } = file;
      const known = byPath.get(path) ?? { path, displayPath, sides: changed.map(() => null) };
      known.sides[place] = file;
      byPath.set(path, known);
    }
  });
  const all = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const { after } = page;
  const rest = after === null ? all : all.filter(({ path }) => path > after);
  const files = rest.slice(0, page.limit);
  const isOnlyIn = (place: number, { sides }: ComparedFile): boolean =>
    sides.every((side, other) => (side !== null) === (other === place));
  return {
    files,
    filesTotal: all.length,
    filesOnlyThere: changed.map((_, place) => all.filter((file) => isOnlyIn(place, file)).length),
    nextCursor: rest.length > files.length ? (files.at(-1)?.path ?? null) : null,
  };
}

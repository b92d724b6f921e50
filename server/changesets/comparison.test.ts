import { describe, expect, it } from "vitest";
import type { DiffFile } from "../git/types";
import { sideBySide } from "./comparison";

const changed = (...paths: string[]): DiffFile[] =>
  paths.map((path) => ({ path, displayPath: path }) as unknown as DiffFile);
const everything = { after: null, limit: 100 };

describe("ChangeSets side by side", () => {
  it("have every path of each of them once, in the order of names, with null where one leaves it alone", () => {
    const { files, filesTotal, nextCursor } = sideBySide([changed("b", "a"), changed("b", "c")], everything);
    expect(files.map(({ path, sides }) => [path, ...sides.map((side) => side !== null)])).toEqual([
      ["a", true, false],
      ["b", true, true],
      ["c", false, true],
    ]);
    expect(filesTotal).toBe(3);
    expect(nextCursor).toBeNull();
  });

  it("count the paths that only one of them changes, wherever the page ends", () => {
    const sets = [changed("a", "b", "c"), changed("b", "d"), changed("b")];
    expect(sideBySide(sets, { after: null, limit: 1 }).filesOnlyThere).toEqual([2, 1, 0]);
  });

  it("come page by page, and no path twice or never", () => {
    const sets = [changed("a", "b", "c", "d"), changed("e")];
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const { files, nextCursor } = sideBySide(sets, { after, limit: 2 });
      seen.push(...files.map(({ path }) => path));
      if (nextCursor === null) break;
      after = nextCursor;
    }
    expect(seen).toEqual(["a", "b", "c", "d", "e"]);
  });
});

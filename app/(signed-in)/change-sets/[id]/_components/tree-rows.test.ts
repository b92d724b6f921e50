import { describe, expect, test } from "vitest";
import { diffFile } from "@/app/_diff/diff-file-fixture";
import { filterFiles, noFilter, orderFiles, treeRows } from "./tree-rows";

const marks = {
  isViewed: (path: string) => path === "seen.ts",
  hasNotes: (path: string) => path === "talked.ts",
};

describe("treeRows", () => {
  test("a folder with nothing but a folder shares its row", () => {
    const rows = treeRows([diffFile("a/b/c.ts"), diffFile("a/b/d.ts"), diffFile("z.ts")], new Set());
    expect(rows.map(({ kind, name, depth }) => [kind, name, depth])).toEqual([
      ["folder", "a/b", 0],
      ["file", "c.ts", 1],
      ["file", "d.ts", 1],
      ["file", "z.ts", 0],
    ]);
  });

  test("a closed folder hides its files and tells how many", () => {
    const rows = treeRows([diffFile("a/x.ts"), diffFile("a/y.ts")], new Set(["a/"]));
    expect(rows).toMatchObject([{ kind: "folder", isOpen: false, files: 2 }]);
  });
});

describe("filterFiles", () => {
  const files = [
    diffFile("seen.ts"),
    diffFile("talked.ts"),
    diffFile("new.ts", { status: "added" }),
    diffFile("bun.lock"),
    diffFile("now.ts", { status: "renamed", oldDisplayPath: "before.ts" }),
  ];
  const pathsOf = (filter: Partial<typeof noFilter>) =>
    filterFiles(files, { ...noFilter, ...filter }, marks).map(({ path }) => path);

  test("a renamed file is found by both names", () => {
    expect(pathsOf({ name: "BEFORE" })).toEqual(["now.ts"]);
  });

  test("by kind, by marks, by what wrote it", () => {
    expect(pathsOf({ kind: "added" })).toEqual(["new.ts"]);
    expect(pathsOf({ onlyUnviewed: true })).not.toContain("seen.ts");
    expect(pathsOf({ onlyCommented: true })).toEqual(["talked.ts"]);
    expect(pathsOf({ generated: "only" })).toEqual(["bun.lock"]);
    expect(pathsOf({ generated: "none" })).not.toContain("bun.lock");
  });
});

test("by size, the largest change comes first", () => {
  const files = [diffFile("small"), diffFile("large", { insertions: 50 })];
  expect(orderFiles(files, "size").map(({ path }) => path)).toEqual(["large", "small"]);
});

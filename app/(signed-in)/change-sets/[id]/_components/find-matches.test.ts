import { expect, test } from "vitest";
import type { LineRow } from "@/app/_diff/line-rows";
import { findInFiles } from "./find-matches";

const row = (line: number, text: string): LineRow => ({
  kind: "added",
  side: "new",
  line,
  oldLine: null,
  newLine: line,
  text,
  startsChange: false,
  startsHunk: false,
});

test("finds lines whatever the case, once each, in the order of the page", () => {
  const files = [
    { path: "a", rows: [row(1, "Find me"), row(2, "no"), row(3, "find, FIND")] },
    { path: "b", rows: [row(9, "refind")] },
  ];
  expect(findInFiles(files, "FIND").places.map(({ path, startLine }) => `${path}:${startLine}`)).toEqual([
    "a:1",
    "a:3",
    "b:9",
  ]);
  expect(findInFiles(files, "").places).toEqual([]);
});

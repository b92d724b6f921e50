import { expect, it } from "vitest";
import { notesOf, spotOf } from "./notes-of";
import type { Placement } from "./types";

const page = { hasFile: (path: string) => path !== "elsewhere", isAgainstBase: true };
const anchor = { path: "a", side: "new" as const, startLine: 2, endLine: 3 };
const at = (status: Placement["status"], path: string | null = "a", line: number | null = 5): Placement => ({
  status,
  path,
  startLine: line,
  endLine: line,
});

it.each([
  ["on its lines", anchor, at("same"), "line"],
  ["on its lines where they are now", anchor, at("moved", "b"), "line"],
  ["at its file, once its lines changed", anchor, at("changed"), "file"],
  ["at its file, once its lines are gone", anchor, at("line_gone", "a", null), "file"],
  ["at its file, when it is about that", { path: "a" }, at("whole", "a", null), "file"],
  ["above all, once its file is gone", anchor, at("file_gone", null, null), "top"],
  ["above all, when its file is not on the page", anchor, at("same", "elsewhere"), "top"],
  ["above all, when it is about everything", null, at("whole", null, null), "top"],
] as const)("a thread stands %s", (_where, of, placement, kind) => {
  expect(spotOf(of, placement, page).kind).toBe(kind);
});

it("a thread on the base stands at its file while the base is not on the page", () => {
  const old = { ...anchor, side: "old" as const };
  expect(spotOf(old, at("same"), page).kind).toBe("line");
  expect(spotOf(old, at("same"), { ...page, isAgainstBase: false }).kind).toBe("file");
});

it("notes stand in their files, those of the whole file above the first line", () => {
  const notes = notesOf([
    { key: "1", spot: spotOf(anchor, at("same"), page) },
    { key: "2", spot: spotOf({ path: "a" }, at("whole", "a", null), page) },
    { key: "3", spot: { kind: "top" } },
  ]);
  expect([...notes]).toEqual([
    [
      "a",
      [
        { key: "1", side: "new", line: 5 },
        { key: "2", side: "new", line: 0 },
      ],
    ],
  ]);
});

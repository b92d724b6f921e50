import { expect, test } from "vitest";
import { isReservedName, parsePath } from "./path-rules";

test("a path is cut into its names; dots and doubled slashes mean nothing", () => {
  expect(parsePath("a/b c/é")).toEqual(["a", "b c", "é"]);
  expect(parsePath("./a//b/")).toEqual(["a", "b"]);
  expect(parsePath(".")).toEqual([]);
  expect(parsePath("..\\x")).toEqual(["..\\x"]);
  expect(parsePath("%2e%2e/x")).toEqual(["%2e%2e", "x"]);
});

test.each(["", "\0", "a\0", "\udfff", "x".repeat(256), "é".repeat(128), "a/".repeat(2049)])(
  "%j names no file",
  (path) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: "input.invalid" }));
  },
);

test.each(["/", "/a", "//a", "..", "../a", "a/..", "a/../b"])("%j leads out", (path) => {
  expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: "path.outside_workspace" }));
});

test.each([
  ".git",
  ".GiT",
  ".git ",
  ".git..",
  ".git . .",
  "git~1",
  "GIT~1.",
  ".git:x",
  ".g\u200dit",
  "\ufeff.git",
  "a\\.git",
  ".git\\x",
])("%j is a name that git takes for its own", (name) => {
  expect(isReservedName(name)).toBe(true);
  expect(() => parsePath(`a/${name}/b`)).toThrow(expect.objectContaining({ code: "path.reserved" }));
});

test.each([".gitignore", ".github", "git", "x.git", "git~2", ".git-x", "a.git", ".gi t"])(
  "%j is an ordinary name",
  (name) => {
    expect(isReservedName(name)).toBe(false);
  },
);

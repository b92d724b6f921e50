import { describe, expect, it } from "vitest";
import { DomainError } from "../../platform/errors";
import { checkDeletePath, checkFilePath, checkWorkspacePath, isReservedName } from "./path";

function codeOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return "accepted";
}

describe("a path has one canonical form", () => {
  it.each([
    ["a/b.ts", "a/b.ts"],
    ["./a//b/./c", "a/b/c"],
    ["src/", "src"],
    [".", "."],
    ["././", "."],
    ["a b/Änderung 1.md", "a b/Änderung 1.md"],
    ["app/[id]/$x;y.ts", "app/[id]/$x;y.ts"],
    ["...", "..."],
    ["a..b", "a..b"],
    [".gitignore", ".gitignore"],
    [".github/workflows", ".github/workflows"],
    ["x.git", "x.git"],
    ["git~10", "git~10"],
    ["-rf", "-rf"],
    ["😀", "😀"],
    ["a\\b", "a\\b"],
    ["100%25", "100%25"],
    ["x".repeat(255), "x".repeat(255)],
  ])("%j", (text, path) => {
    expect(checkWorkspacePath(text)).toBe(path);
    expect(checkWorkspacePath(path)).toBe(path);
  });
});

/** The boundary is the Run's directory; the Sandbox holds it once more, against links. */
describe("what leads out, or cannot be a path, is refused before the Sandbox is asked", () => {
  it.each([
    ["../../B/x", "path.outside_workspace"],
    ["..", "path.outside_workspace"],
    ["a/../../..", "path.outside_workspace"],
    ["a/..", "path.outside_workspace"],
    ["./../x", "path.outside_workspace"],
    ["/etc/passwd", "path.outside_workspace"],
    ["/runs/A2/x", "path.outside_workspace"],
    ["/", "path.outside_workspace"],
    ["//", "path.outside_workspace"],
    ["..\\..", "path.outside_workspace"],
    ["a\\..\\b", "path.outside_workspace"],
    ["%2e%2e/x", "path.outside_workspace"],
    [".%2E/x", "path.outside_workspace"],
    ["..%2fx", "path.outside_workspace"],
    ["..%5Cx", "path.outside_workspace"],
    ["", "input.invalid"],
    ["a\0b", "input.invalid"],
    ["a\nb", "input.invalid"],
    ["a\rb", "input.invalid"],
    ["a\u001bb", "input.invalid"],
    ["a\u0085b", "input.invalid"],
    ["a\ud800", "input.invalid"],
    ["x".repeat(300), "input.invalid"],
    ["é".repeat(128), "input.invalid"],
    ["x/".repeat(2_500), "input.invalid"],
    [".git", "path.reserved"],
    [".git/config", "path.reserved"],
    [".git/hooks/pre-push", "path.reserved"],
    ["sub/.git/x", "path.reserved"],
    [".GIT/config", "path.reserved"],
    [".Git", "path.reserved"],
    ["git~1/config", "path.reserved"],
    ["GIT~1", "path.reserved"],
    [".git./x", "path.reserved"],
    [".git . /x", "path.reserved"],
    [".git::$INDEX_ALLOCATION/x", "path.reserved"],
    [".g\u200cit/config", "path.reserved"],
    ["\ufeff.git/config", "path.reserved"],
    [".gi\u202et", "path.reserved"],
    ["a\\.git\\x", "path.reserved"],
  ])("%j: %s", (text, code) => {
    expect(codeOf(() => checkWorkspacePath(text))).toBe(code);
    expect(codeOf(() => checkFilePath(text))).toBe(code);
    expect(codeOf(() => checkDeletePath(text))).toBe(code);
  });
});

it("a file is never the workspace itself nor a path that ends as a folder's", () => {
  for (const text of [".", "./", "a/", "a/.", "a/./"]) {
    expect(codeOf(() => checkFilePath(text))).toBe("file.not_regular");
  }
  expect(checkFilePath("./a/b")).toBe("a/b");
});

it("the workspace itself is never deleted", () => {
  for (const text of [".", "./", "././."]) expect(codeOf(() => checkDeletePath(text))).toBe("path.reserved");
  expect(checkDeletePath("src/")).toBe("src");
});

it("an error never repeats a path at length", () => {
  try {
    checkWorkspacePath(`../${"x".repeat(100_000)}`);
  } catch (error) {
    expect(JSON.stringify((error as DomainError).details).length).toBeLessThan(300);
    return;
  }
  throw new Error("accepted");
});

it("knows .git under the names that other file systems give it", () => {
  for (const name of [".git", ".GIT", "git~1", "Git~1 .", ".g\u200dit"])
    expect(isReservedName(name)).toBe(true);
  for (const name of ["git", ".gitmodules", ".git2", "agit~1", ".gitx:"])
    expect(isReservedName(name)).toBe(false);
});

it("random paths that are accepted stay inside and out of .git", () => {
  let state = 99;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const pieces = [
    "a",
    "..",
    ".",
    "/",
    "//",
    ".git",
    ".GIT",
    " ",
    "\\",
    "%2e",
    "\u200c",
    "git~1",
    "é",
    "-",
    "\n",
    "~",
  ];
  for (let round = 0; round < 8_000; round++) {
    const text = Array.from(
      { length: 1 + Math.floor(random() * 6) },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join("");
    let path: string;
    try {
      path = checkWorkspacePath(text);
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      continue;
    }
    if (path === ".") continue;
    for (const component of path.split("/")) {
      expect(["", ".", "..", ".git"]).not.toContain(component.toLowerCase());
    }
  }
});

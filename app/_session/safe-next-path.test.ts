import { describe, expect, it } from "vitest";
import { safeNextPath } from "./safe-next-path";

describe("the way back after a sign-in", () => {
  it.each(["/", "/change-sets/1?against=base#f", "/runs/1"])("is kept for our own path %s", (path) => {
    expect(safeNextPath(path)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "//evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "https://evil.test",
    "javascript:alert(1)",
    "/\t/evil.test",
    "/a\\b",
    "runs/1",
    " //evil.test",
    "/..//evil.test",
    "/.//evil.test",
    "/a/..//evil.test",
    "/%2e%2e//evil.test",
  ])("is the start page for %j", (next) => {
    expect(safeNextPath(next)).toBe("/");
  });
});

import { expect, it } from "vitest";
import { isGitRecentEnough } from "./git-version";

it.each([
  ["git version 2.39.5", true],
  ["git version 2.50.1 (Apple Git-155)", true],
  ["git version 3.0.0", true],
  ["git version 2.38.9", false],
  ["git version 1.99.0", false],
  ["git version", false],
  ["", false],
])("%j is recent enough: %s", (text, isRecent) => {
  expect(isGitRecentEnough(text)).toBe(isRecent);
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashContents } from "./content-hash";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rhumbatron-hash-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "a.ts"), "a");
  writeFileSync(join(root, "src", "a.test.ts"), "test");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const hash = (options: Parameters<typeof hashContents>[2] = {}): string =>
  hashContents(root, ["src", "absent"], options);

test("equal contents give an equal hash, whatever their times", () => {
  const before = hash();
  utimesSync(join(root, "src", "a.ts"), 1, 1);
  expect(hash()).toBe(before);
});

test("a changed byte, name, executable bit or word gives another hash", () => {
  const hashes = [hash()];
  hashes.push(hash({ extra: ["base"] }));
  writeFileSync(join(root, "src", "a.ts"), "b");
  hashes.push(hash());
  chmodSync(join(root, "src", "a.ts"), 0o755);
  hashes.push(hash());
  writeFileSync(join(root, "src", "b.ts"), "");
  hashes.push(hash());
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("what is not counted changes nothing", () => {
  const isCounted = (path: string): boolean => !path.endsWith(".test.ts");
  const before = hash({ isCounted });
  writeFileSync(join(root, "src", "a.test.ts"), "another test");
  expect(hash({ isCounted })).toBe(before);
});

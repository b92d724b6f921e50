import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareDataDir, removeEmptyFolders } from "./data-dir";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rhumbatron-data-dir-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a first start that was refused leaves no folder behind", () => {
  const dataDir = join(folder, "data");
  prepareDataDir(dataDir);
  removeEmptyFolders(dataDir);
  expect(existsSync(dataDir)).toBe(false);
});

test("what holds something stays, with all above it", () => {
  const dataDir = join(folder, "data");
  const { secretsDir, logsDir } = prepareDataDir(dataDir);
  writeFileSync(join(secretsDir, "word"), "x");
  removeEmptyFolders(dataDir);
  expect(existsSync(join(secretsDir, "word"))).toBe(true);
  expect(existsSync(logsDir)).toBe(false);
});

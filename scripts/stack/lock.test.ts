import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireLock } from "./lock";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rhumbatron-lock-"));
  path = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the second waits for the first and says for whom", async () => {
  const release = await acquireLock({ path, waitMs: 1000, onWait: () => {} });
  const waits: number[] = [];
  const second = acquireLock({ path, waitMs: 10_000, onWait: (pid) => waits.push(pid) });
  await expect.poll(() => waits).toEqual([process.pid]);
  release();
  (await second)();
});

test("a holder that takes too long ends the wait in a sentence", async () => {
  const release = await acquireLock({ path, waitMs: 1000, onWait: () => {} });
  await expect(acquireLock({ path, waitMs: 0, onWait: () => {} })).rejects.toThrow(
    /at work here for too long/,
  );
  release();
});

test("the lock of a holder that died is taken over", async () => {
  const { pid } = spawnSync("true");
  writeFileSync(path, JSON.stringify({ pid, startedAt: "once", fingerprint: "" }));
  const release = await acquireLock({ path, waitMs: 0, onWait: () => expect.unreachable() });
  release();
});

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  findRecordedProcess,
  parseStartTicks,
  readPidRecord,
  startTimeOf,
  stopRecordedProcess,
  writePidRecord,
} from "./pid-record";

test("start ticks are read although a program's name holds spaces and brackets", () => {
  const fields = ["S", ...Array.from({ length: 18 }, (_, i) => String(i)), "987654", "0"];
  expect(parseStartTicks(`42 (a) b (c)) ${fields.join(" ")}`)).toEqual({ ticks: "987654", state: "S" });
  expect(parseStartTicks("")).toBeNull();
});

describe("a pid record", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rhumbatron-pid-"));
    path = join(folder, "part.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("finds its process while that one lives", async () => {
    const record = { pid: process.pid, startedAt: startTimeOf(process.pid) ?? "", fingerprint: "f" };
    await writePidRecord(path, record);
    expect(findRecordedProcess(path)).toEqual(record);
  });

  test("of another process with the same number finds nothing, and stopping it kills nobody", async () => {
    const child = spawn("sleep", ["60"]);
    try {
      await writePidRecord(path, { pid: child.pid ?? 0, startedAt: "an earlier boot", fingerprint: "f" });
      expect(findRecordedProcess(path)).toBeNull();
      expect(await stopRecordedProcess(path, { graceMs: 100 })).toBe(true);
      expect(startTimeOf(child.pid ?? 0)).not.toBeNull();
      expect(existsSync(path)).toBe(false);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("that was half written counts as none", () => {
    writeFileSync(path, '{"pid": 12');
    expect(readPidRecord(path)).toBeNull();
    writeFileSync(path, '{"pid": "12", "startedAt": "x", "fingerprint": "y"}');
    expect(readPidRecord(path)).toBeNull();
  });

  test("ends a process that does not listen to SIGTERM", async () => {
    const child = spawn(process.execPath, [
      "-e",
      "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
    ]);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await writePidRecord(path, {
      pid: child.pid ?? 0,
      startedAt: startTimeOf(child.pid ?? 0) ?? "",
      fingerprint: "f",
    });
    expect(await stopRecordedProcess(path, { graceMs: 200 })).toBe(true);
    expect(startTimeOf(child.pid ?? 0)).toBeNull();
  });
});

import { expect, test } from "vitest";
import { parseProcess } from "./process-table";

const stat = (name: string, state = "S"): string =>
  `42 (${name}) ${state} 7 41 40 0 -1 4194304 80 0 0 0 1 2 0 0 20 0 3 0 9995 2703360 321 18446744073709551615 0 0`;
const status = (name: string): string =>
  `Name:\t${name}\nState:\tS (sleeping)\nPid:\t42\nUid:\t10001\t10001\t10001\t10001\nVmRSS:\t    3120 kB\n`;

test("a process is read, whatever it calls itself", () => {
  for (const name of ["sh", "a b) R 1 1 (", "x)", "Uid:\t0"]) {
    expect(parseProcess(42, stat(name), status(name))).toEqual({
      pid: 42,
      parentPid: 7,
      session: 40,
      uid: 10_001,
      threads: 3,
      memoryBytes: 3120 * 1024,
      startTicks: 9995,
      isDead: false,
    });
  }
  expect(parseProcess(42, stat("sh", "Z"), status("sh"))?.isDead).toBe(true);
});

test("what is no process is none", () => {
  expect(parseProcess(1, "", "")).toBeNull();
  expect(parseProcess(1, stat("x"), "Name:\tx\n")).toBeNull();
});

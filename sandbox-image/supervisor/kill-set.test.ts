import { expect, test } from "vitest";
import { selectKillSet, type KillScope } from "./kill-set";
import type { ProcessEntry } from "./process-table";

const uid = 10_001;

function entry(
  pid: number,
  parentPid: number,
  session: number,
  more: Partial<ProcessEntry> = {},
): ProcessEntry {
  return {
    pid,
    parentPid,
    session,
    uid,
    threads: 1,
    memoryBytes: 0,
    startTicks: pid,
    isDead: false,
    ...more,
  };
}

const scope: KillScope = { uid, session: 100, isMainAlive: true, isWholeUid: false, sparedPid: 50 };
const pids = (entries: readonly ProcessEntry[]): number[] =>
  entries.map(({ pid }) => pid).sort((one, other) => one - other);

test("it is the session, and the descendants of anything in it, in any order of the table", () => {
  const table = [
    entry(205, 204, 205),
    entry(204, 101, 204),
    entry(101, 100, 100),
    entry(102, 1, 100),
    entry(100, 7, 100),
    entry(300, 7, 300),
    entry(301, 300, 300),
  ];
  expect(pids(selectKillSet(table, scope))).toEqual([100, 101, 102, 204, 205]);
});

test("a process that was found once is found when it has lost its parents, and so is its new session", () => {
  const known = new Set<string>();
  selectKillSet([entry(100, 7, 100), entry(101, 100, 100), entry(102, 101, 102)], scope, known);
  const later = [entry(102, 1, 102), entry(103, 1, 102), entry(104, 103, 104)];
  const afterMain = { ...scope, isMainAlive: false };
  expect(pids(selectKillSet(later, afterMain, known))).toEqual([102, 103, 104]);
  expect(selectKillSet([entry(102, 1, 9, { startTicks: 999 })], afterMain, known)).toEqual([]);
});

test("another uid is never in it, but for the first process while it is still root", () => {
  const table = [
    entry(100, 7, 100, { uid: 0 }),
    entry(101, 100, 100, { uid: 0 }),
    entry(102, 100, 100, { uid: 10_002 }),
  ];
  expect(pids(selectKillSet(table, scope))).toEqual([100]);
  expect(selectKillSet(table, { ...scope, isMainAlive: false })).toEqual([]);
});

test("the whole uid goes but for its helper and for what has ended", () => {
  const table = [
    entry(50, 7, 50),
    entry(60, 1, 60),
    entry(61, 1, 61, { isDead: true }),
    entry(62, 1, 62, { uid: 0 }),
  ];
  expect(pids(selectKillSet(table, { ...scope, isWholeUid: true }))).toEqual([60]);
});

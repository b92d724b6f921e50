import { readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  pid: number;
  parentPid: number;
  session: number;
  uid: number;
  threads: number;
  memoryBytes: number;
  /** With the pid it names one process for the life of the container: pids come again, this does not. */
  startTicks: number;
  /** Ended and not yet collected by its parent: it runs nothing and holds nothing. */
  isDead: boolean;
}

/** Every process in the container at this moment, as `/proc` shows it. Those that end meanwhile are left out. */
export function readProcessTable(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readProcess(Number(name));
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

function readProcess(pid: number): ProcessEntry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return parseProcess(pid, stat, status);
  } catch {
    // It ended between the listing and the reading.
    return null;
  }
}

/** Reads one process. Its name may hold anything, so that fields count from the last parenthesis. */
export function parseProcess(pid: number, stat: string, status: string): ProcessEntry | null {
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .trimEnd()
    .split(" ");
  const facts = afterName(status);
  const uid = /^Uid:\s+(\d+)/m.exec(facts)?.[1];
  if (fields.length < 20 || uid === undefined) return null;
  return {
    pid,
    parentPid: Number(fields[1]),
    session: Number(fields[3]),
    uid: Number(uid),
    threads: Number(fields[17]),
    memoryBytes: Number(/^VmRSS:\s+(\d+)/m.exec(facts)?.[1] ?? 0) * 1024,
    startTicks: Number(fields[19]),
    isDead: fields[0] === "Z" || fields[0] === "X",
  };
}

/** The name is the first line and the kernel escapes line ends in it, but gVisor does not promise to. */
function afterName(status: string): string {
  const state = status.lastIndexOf("\nState:");
  return state < 0 ? "" : status.slice(state);
}

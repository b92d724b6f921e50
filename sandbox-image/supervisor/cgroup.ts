import { readFileSync } from "node:fs";

/** What the kernel counts for this container. Null where it does not say. */
export interface Cgroup {
  memoryBytes(): number | null;
  processes(): number | null;
  cpuTimeMs(): number | null;
  /** Processes that the kernel killed here because memory ran out. */
  outOfMemoryKills(): number | null;
}

export type ReadText = (path: string) => string | null;

const root = "/sys/fs/cgroup";

/** Reads either version of control groups, whichever is mounted. */
export function createCgroup(readText: ReadText = readTextFile): Cgroup {
  const isUnified = readText(`${root}/cgroup.controllers`) !== null;
  const number = (path: string): number | null => parseCount(readText(`${root}/${path}`));
  const named = (path: string, name: string): number | null => {
    const text = readText(`${root}/${path}`);
    return parseCount(text === null ? null : (new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? null));
  };
  if (isUnified) {
    return {
      memoryBytes: () => minus(number("memory.current"), named("memory.stat", "inactive_file")),
      processes: () => number("pids.current"),
      cpuTimeMs: () => divided(named("cpu.stat", "usage_usec"), 1_000),
      outOfMemoryKills: () => named("memory.events", "oom_kill"),
    };
  }
  return {
    memoryBytes: () =>
      minus(number("memory/memory.usage_in_bytes"), named("memory/memory.stat", "total_inactive_file")),
    processes: () => number("pids/pids.current"),
    cpuTimeMs: () => divided(number("cpuacct/cpuacct.usage"), 1_000_000),
    outOfMemoryKills: () => named("memory/memory.oom_control", "oom_kill"),
  };
}

function readTextFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function parseCount(text: string | null): number | null {
  return text !== null && /^\d+\s*$/.test(text) ? Number(text) : null;
}

function minus(whole: number | null, part: number | null): number | null {
  return whole === null ? null : Math.max(0, whole - (part ?? 0));
}

function divided(value: number | null, by: number): number | null {
  return value === null ? null : Math.floor(value / by);
}

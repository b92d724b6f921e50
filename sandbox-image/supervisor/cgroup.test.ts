import { expect, test } from "vitest";
import { createCgroup } from "./cgroup";
import { watchMemory } from "./memory-blame";

function files(contents: Record<string, string>): (path: string) => string | null {
  return (path) => contents[path.replace("/sys/fs/cgroup/", "")] ?? null;
}

test("both versions of control groups say the same", () => {
  const first = createCgroup(
    files({
      "memory/memory.usage_in_bytes": "1000\n",
      "memory/memory.stat": "cache 5\ntotal_inactive_file 300\n",
      "memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
      "pids/pids.current": "7\n",
      "cpuacct/cpuacct.usage": "5000000\n",
    }),
  );
  const second = createCgroup(
    files({
      "cgroup.controllers": "cpu memory pids",
      "memory.current": "1000\n",
      "memory.stat": "anon 1\ninactive_file 300\n",
      "memory.events": "low 0\noom 3\noom_kill 2\n",
      "pids.current": "7\n",
      "cpu.stat": "usage_usec 5000\nuser_usec 1\n",
    }),
  );
  for (const cgroup of [first, second]) {
    expect([cgroup.memoryBytes(), cgroup.processes(), cgroup.cpuTimeMs(), cgroup.outOfMemoryKills()]).toEqual(
      [700, 7, 5, 2],
    );
  }
  const none = createCgroup(files({}));
  expect([none.memoryBytes(), none.outOfMemoryKills()]).toEqual([null, null]);
});

test("memory is blamed only for a failed command during which the kernel killed for it", () => {
  let kills: number | null = 1;
  const cgroup = { ...createCgroup(files({})), outOfMemoryKills: () => kills };
  const after = (
    exit: { code: number | null; signal: string | null },
    killsAfter: number | null,
  ): string | null => {
    kills = 1;
    const explain = watchMemory(cgroup, 512 * 1024 * 1024);
    kills = killsAfter;
    return explain(exit).message;
  };
  expect(after({ code: null, signal: "SIGKILL" }, 2)).toBe("out of memory, limit 512 MB");
  expect(after({ code: 137, signal: null }, 2)).toBe("out of memory, limit 512 MB");
  expect(after({ code: 3, signal: null }, 2)).toBe("likely out of memory, limit 512 MB");
  expect(after({ code: 0, signal: null }, 2)).toBeNull();
  expect(after({ code: null, signal: "SIGKILL" }, 1)).toBeNull();
  expect(after({ code: null, signal: "SIGKILL" }, null)).toBeNull();
});

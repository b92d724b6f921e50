import type { CommandEnd } from "../../server/sandboxd/types";
import type { Cgroup } from "./cgroup";
import type { ExitStatus } from "./spawn-as";

const killedExitCode = 137;

/**
 * Begins to watch for one command; at its end, says whether it ended because memory ran out, by the kernel's count of
 * such kills. `likely` when the command was not killed itself but failed: then the kernel killed something of this Sandbox
 * meanwhile. Says nothing where the kernel does not count.
 */
export function watchMemory(
  cgroup: Cgroup,
  memoryBytesMax: number | null,
): (exit: ExitStatus) => Pick<CommandEnd, "reason" | "message"> {
  const killsBefore = cgroup.outOfMemoryKills();
  return (exit) => {
    const kills = cgroup.outOfMemoryKills();
    if (kills === null || killsBefore === null || kills <= killsBefore || exit.code === 0) {
      return { reason: null, message: null };
    }
    const isKilled = exit.signal === "SIGKILL" || exit.code === killedExitCode;
    const limit = memoryBytesMax === null ? "" : `, limit ${Math.round(memoryBytesMax / 1024 / 1024)} MB`;
    return { reason: "out_of_memory", message: `${isKilled ? "" : "likely "}out of memory${limit}` };
  };
}

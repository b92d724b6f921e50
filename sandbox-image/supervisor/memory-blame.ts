import type { CommandEnd } from "../../server/sandboxd/types";
import type { Cgroup } from "./cgroup";
import type { ExitStatus } from "./spawn-as";

const killedExitCode = 137;

/**
 * Begins to watch for one command; at its end, says whether it ended because memory ran out. Proven when the kernel
 * counted a kill and the command itself was killed; `likely` when it only failed, or when the kernel counts nothing.
 */
export function watchMemory(
  cgroup: Cgroup,
  memoryBytesMax: number | null,
): (exit: ExitStatus) => Pick<CommandEnd, "reason" | "message"> {
  const killsBefore = cgroup.outOfMemoryKills();
  return (exit) => {
    const kills = cgroup.outOfMemoryKills();
    const isKilled = exit.signal === "SIGKILL" || exit.code === killedExitCode;
    const isCounted = kills !== null && killsBefore !== null;
    const hasKills = isCounted && kills > killsBefore;
    if (hasKills && exit.code !== 0)
      return blame(memoryBytesMax, isKilled ? "out of memory" : "likely out of memory");
    if (!isCounted && isKilled) return blame(memoryBytesMax, "likely out of memory");
    return { reason: null, message: null };
  };
}

function blame(memoryBytesMax: number | null, what: string): Pick<CommandEnd, "reason" | "message"> {
  const limit = memoryBytesMax === null ? "" : `, limit ${Math.round(memoryBytesMax / 1024 / 1024)} MB`;
  return { reason: "out_of_memory", message: `${what}${limit}` };
}

import type { Clock } from "../../server/platform/clock";
import { selectKillSet, type KillScope } from "./kill-set";
import type { ProcessEntry } from "./process-table";

const pollMs = 15;
/** A process can outlive SIGKILL only inside the kernel; then there is nothing more to do. */
const killDeadlineMs = 20_000;

export type Signal = "SIGTERM" | "SIGSTOP" | "SIGKILL";

export interface ProcessEnderDeps {
  readTable: () => ProcessEntry[];
  send: (pid: number, signal: Signal) => void;
  clock: Clock;
}

/**
 * Ends every process in the scope: TERM, then, for what is left after the grace, stop all and KILL, over and over until
 * the table shows none. Stopping first keeps a fork bomb from outrunning the kills. `true` when none is left.
 */
export type EndProcesses = (scope: () => KillScope, termGraceMs: number) => Promise<boolean>;

export function createProcessEnder({ readTable, send, clock }: ProcessEnderDeps): EndProcesses {
  return async (scope, termGraceMs) => {
    const known = new Set<string>();
    const left = (): ProcessEntry[] => selectKillSet(readTable(), scope(), known);
    let alive = left();
    if (alive.length === 0) return true;

    if (termGraceMs > 0) {
      signalAll(alive, "SIGTERM", send);
      const graceEndMs = clock.monotonicMs() + termGraceMs;
      while (clock.monotonicMs() < graceEndMs) {
        await clock.sleep(pollMs);
        alive = left();
        if (alive.length === 0) return true;
      }
    }
    const deadlineMs = clock.monotonicMs() + killDeadlineMs;
    while (alive.length > 0 && clock.monotonicMs() < deadlineMs) {
      if (alive.length > 1) {
        signalAll(alive, "SIGSTOP", send);
        alive = left();
      }
      signalAll(alive, "SIGKILL", send);
      await clock.sleep(pollMs);
      alive = left();
    }
    return alive.length === 0;
  };
}

function signalAll(entries: readonly ProcessEntry[], signal: Signal, send: ProcessEnderDeps["send"]): void {
  for (const entry of entries) send(entry.pid, signal);
}

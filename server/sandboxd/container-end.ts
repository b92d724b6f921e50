import type { ContainerFacts } from "./engine";
import type { SandboxEndReason, SandboxRuntime } from "./types";

/** Why a container is no longer usable, with a sentence for people. */
export interface ContainerEnd {
  reason: SandboxEndReason;
  detail: string;
}

/** Rejects calls on a container that has come to its end. */
export class ContainerEndedError extends Error {
  override readonly name = "ContainerEndedError";
  constructor(readonly end: ContainerEnd) {
    super(end.detail);
  }
}

const killedExitCode = 137;
/** gVisor ends with this when its kernel process is killed, for which memory is the usual cause. */
const gvisorKilledExitCode = 128;

/**
 * Reads from an inspect why a container ended; null while it runs and can be used. The engine's out-of-memory mark
 * counts only when the container died of a kill: under runc it is also set by a child's death that it survived.
 */
export function describeEnd(
  facts: ContainerFacts | null,
  context: { runtime: SandboxRuntime; memoryMb: number; wasEngineLost: boolean },
): ContainerEnd | null {
  const limit = `limit ${context.memoryMb} MB`;
  if (facts === null)
    return { reason: "lost", detail: "The container is gone from the engine; sandboxd did not remove it." };
  if (facts.state === "running") return null;
  if (facts.state === "paused")
    return { reason: "drifted", detail: "The container was paused from outside." };
  if (facts.state === "created") return { reason: "lost", detail: "The container was never started." };
  const wasKilled = facts.exitCode === killedExitCode || facts.exitCode === gvisorKilledExitCode;
  if (facts.wasOutOfMemory && wasKilled) {
    return { reason: "out_of_memory", detail: `The sandbox ran out of memory (${limit}).` };
  }
  if (context.runtime === "runsc" && facts.exitCode === gvisorKilledExitCode) {
    return {
      reason: "out_of_memory",
      detail: `The sandbox was ended by its kernel, likely out of memory (${limit}).`,
    };
  }
  if (context.wasEngineLost) {
    return {
      reason: "engine_restarted",
      detail: `The engine restarted and ended the container (exit code ${facts.exitCode}).`,
    };
  }
  if (wasKilled) {
    return {
      reason: "lost",
      detail: `The container was killed from outside (exit code ${facts.exitCode}; ${limit}).`,
    };
  }
  return { reason: "lost", detail: `The container ended by itself (exit code ${facts.exitCode}).` };
}

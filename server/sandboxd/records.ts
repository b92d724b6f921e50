import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import type { ObservedStatus, Slot } from "./slot";
import type { SupervisorStatus } from "./supervisor";
import type { SandboxRecord } from "./types";

/** Puts a new status beside the one before. */
export function observe(
  before: ObservedStatus | null,
  status: SupervisorStatus,
  atMs: number,
): ObservedStatus {
  const elapsedMs = before === null ? 0 : atMs - before.atMs;
  const usedMs = before === null ? 0 : status.usage.cpuTimeMs - before.status.usage.cpuTimeMs;
  // Two looks within a moment would give a figure made of rounding.
  if (before !== null && elapsedMs < 200) return { status, atMs: before.atMs, cpuPercent: before.cpuPercent };
  return {
    status,
    atMs,
    cpuPercent: elapsedMs > 0 ? Math.max(0, Math.round((usedMs / elapsedMs) * 1000) / 10) : 0,
  };
}

/** Shows a slot as callers see it; durations are brought forward to now. */
export function toRecord(slot: Slot, settings: Settings, clock: Clock): SandboxRecord {
  const { container, observed } = slot;
  const isLive = slot.state === "live";
  return {
    sandboxId: slot.sandboxId,
    state: slot.state,
    runtimeId: container?.id ?? null,
    runtime: settings.SANDBOX_RUNTIME,
    imageDigest: container?.imageId ?? null,
    network: container?.network ?? null,
    address: container?.address ?? null,
    startedAt: container?.startedAt ?? null,
    idleRemovalInMs: isLive && observed !== null ? idleRemovalInMs(observed, clock) : null,
    runningCommands: isLive ? (observed?.status.runningCommands ?? 0) : 0,
    usage: isLive && observed !== null ? toUsage(observed) : null,
    endReason: slot.end?.reason ?? null,
    detail: slot.end?.detail ?? null,
    endedAt: null,
  };
}

function idleRemovalInMs({ status, atMs }: ObservedStatus, clock: Clock): number | null {
  if (status.runningCommands > 0) return null;
  return Math.max(0, Math.round(status.idleRemovalInMs - (clock.monotonicMs() - atMs)));
}

function toUsage({ status, cpuPercent }: ObservedStatus): NonNullable<SandboxRecord["usage"]> {
  const { memoryBytes, memoryBytesMax, processes, processesMax, diskBytes, diskBytesMax } = status.usage;
  return { cpuPercent, memoryBytes, memoryBytesMax, processes, processesMax, diskBytes, diskBytesMax };
}

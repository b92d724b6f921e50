import type { ContainerEnd } from "./container-end";
import type { LiveContainer } from "./live-container";
import type { SupervisorStatus } from "./supervisor";
import type { SandboxId } from "./types";

/** What a supervisor last said, and when; `cpuPercent` is the share of one CPU since the time before. */
export interface ObservedStatus {
  status: SupervisorStatus;
  atMs: number;
  cpuPercent: number;
}

/** One Sandbox that has a place: from before its container exists until the engine has it no more. */
export interface Slot {
  readonly sandboxId: SandboxId;
  state: "starting" | "live" | "removing";
  container: LiveContainer | null;
  /** Resolves when it is live; rejects when it did not come to be. */
  ready: Promise<void>;
  removal: Promise<void> | null;
  end: ContainerEnd | null;
  observed: ObservedStatus | null;
  callsUnderWay: number;
  lastCallAtMs: number;
}

export type LiveSlot = Slot & { container: LiveContainer };

import type { SandboxEndReason } from "../../sandboxd/types";

/** One life of a Sandbox: from a start of its container to its end. */
export interface SandboxLife {
  /** The engine's id of the container. */
  runtimeId: string;
  projectId: string;
  startedAt: Date;
}

/** How a life ended. */
export interface SandboxEnd {
  at: Date;
  reason: SandboxEndReason;
  /** A sentence for people. */
  detail: string | null;
}

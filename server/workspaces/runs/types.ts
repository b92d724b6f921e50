import type { JsonValue } from "../../platform/storable-text";
import type { RunUid, SandboxId } from "../../sandboxd/types";

export type RunState =
  "opening" | "open" | "asleep" | "completing" | "proposed" | "no_changes" | "failed" | "closed";

export type RunEndKind = "completed" | "fail_task" | "closed" | "stopped" | "lost" | "expired" | "archived";

/** One attempt of an agent at a Task, as it is stored. */
export interface RunRecord {
  id: string;
  taskId: string;
  changeId: string;
  projectId: string;
  /** The token that opened it. */
  actorId: string;
  state: RunState;
  /** By when a state on the way somewhere has to be left. */
  stateDeadlineAt: Date | null;
  uid: number;
  revisesChangeSetId: string | null;
  baseCommit: string | null;
  resultCommit: string | null;
  resultTree: string | null;
  /** The materialisation of the Sandbox that holds its directory. */
  runtimeId: string | null;
  runtime: string | null;
  imageDigest: string | null;
  /** The session that meters it while it is awake or waking. */
  sessionId: string | null;
  proposalTitle: string | null;
  proposalSummary: string | null;
  restoreCount: number;
  openedAt: Date;
  lastActivityAt: Date;
  endedAt: Date | null;
  endKind: RunEndKind | null;
  endReason: string | null;
  forkRemovedAt: Date | null;
}

export type RunEventKind =
  "opened" | "tool" | "command" | "output" | "restored" | "refused" | "ended" | "note";

/** What happened in a Run. `seq` counts from 1 without a gap. */
export interface RunEventRecord {
  seq: number;
  at: Date;
  kind: RunEventKind;
  data: { [key: string]: JsonValue };
}

/** An event as it is shown: `output` events carry their bytes, base64, and the same as text. */
export interface RunEventView {
  seq: number;
  at: string;
  kind: RunEventKind;
  data: Record<string, unknown>;
}

/** A piece of one stream of a command. `complete` when nothing can follow any more. */
export interface OutputSlice {
  base64: string;
  offset: number;
  totalBytes: number;
  complete: boolean;
}

/** Told in the result of the call that had to make a Run's directory anew. */
export interface Restoration {
  at: string;
  reason: string;
  /** Commands whose files are lost: what tools wrote is there again, what only these wrote is not. */
  commandsNotReplayed: string[];
}

/** Where a Run is inside its Sandbox. */
export interface RunPlace {
  sandboxId: SandboxId;
  uid: RunUid;
  directory: string;
}

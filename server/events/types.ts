import type { JsonObject } from "../platform/storable-text";

/** What can have happened, in the past tense. */
export type EventType =
  | "sandbox.started"
  | "sandbox.removed"
  | "workspace.opened"
  | "workspace.refused"
  | "workspace.slept"
  | "workspace.interrupted"
  | "workspace.closed"
  | "changeset.proposed"
  | "changeset.reviewed"
  | "changeset.commented"
  | "changeset.thread_state_set"
  | "changeset.merged"
  | "changeset.not_chosen"
  | "intent.declared"
  | "project.created"
  | "project.archived"
  | "change.created"
  | "task.created"
  | "usage.cap_changed";

/** An event about to be written. `data` is shown to everybody who may read the event, so no secret stands in it. */
export interface NewEvent {
  type: EventType;
  at: Date;
  /** Null for what concerns no Project; agents do not see those. */
  projectId: string | null;
  /** Null for what concerns the whole Project; agents of every Change of it see those. */
  changeId: string | null;
  data: JsonObject;
}

export interface EventRecord extends Omit<NewEvent, "type"> {
  id: string;
  type: string;
}

/** An event with its place in the order of commits. Places only grow and may leave gaps. */
export interface PlacedEvent extends EventRecord {
  position: bigint;
}

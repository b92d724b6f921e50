/** What makes two calls the same call: who, what, about which Run (or Task, for an open), and the caller's own word. */
export interface CallKey {
  actorId: string;
  procedure: string;
  scopeId: string;
  key: string;
}

/** A call that was begun. `result` is null while it is under way. */
export interface CallRecord {
  id: string;
  bodyHash: string;
  result: unknown;
  createdAt: Date;
  /** Who carries it out, and a count that this owner raises while it lives. */
  ownerId: string;
  beat: number;
}

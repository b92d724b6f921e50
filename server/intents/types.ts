/** What an agent would do and why, written down instead of code. */
export interface IntentRecord {
  id: string;
  taskId: string;
  changeId: string;
  projectId: string;
  /** Whose token declared it. */
  actorId: string;
  title: string;
  body: string;
  /** The `workspace.refused` event that it answers, when there was one. */
  refusalId: string | null;
  createdAt: Date;
}

/** Which Intents are listed. Null means not restricted. */
export interface IntentFilter {
  projectId: string | null;
  changeId: string | null;
  taskId: string | null;
}

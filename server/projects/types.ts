export type ProjectState = "importing" | "ready" | "failed" | "archived";

export interface ProjectRecord {
  id: string;
  name: string;
  defaultBranch: string;
  state: ProjectState;
  importUrl: string | null;
  stateDetail: string | null;
  createdAt: Date;
  archivedAt: Date | null;
}

export interface ChangeRecord {
  id: string;
  projectId: string;
  title: string;
  description: string;
  /** Null: as many as the setting says. */
  maxActiveSandboxes: number | null;
  openWorkspaces: number;
  createdAt: Date;
}

export const taskKinds = ["design", "review", "document", "implement", "migrate", "test"] as const;
export type TaskKind = (typeof taskKinds)[number];

export interface TaskRecord {
  id: string;
  changeId: string;
  projectId: string;
  kind: TaskKind;
  title: string;
  instructions: string;
  createdAt: Date;
}

/** One page of a list, oldest first. */
export interface PageRequest {
  after: string | null;
  limit: number;
}

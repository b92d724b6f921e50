import type { Caller } from "./types";

/** What a caller may see of Projects and Changes. Null means every one of them. */
export interface Scope {
  projectId: string | null;
  changeId: string | null;
}

/** An agent sees its one Project, and only its one Change in it when its token says so. People see everything. */
export function scopeOf(caller: Caller): Scope {
  return caller.role === "agent"
    ? { projectId: caller.projectId, changeId: caller.changeId }
    : { projectId: null, changeId: null };
}

/** The whole of it, for jobs that act for nobody. */
export const everything: Scope = { projectId: null, changeId: null };

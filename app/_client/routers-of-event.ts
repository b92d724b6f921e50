/** What each type of event may have changed, as the routers whose answers show it. */
const routersByType: Record<string, readonly string[]> = {
  "sandbox.started": ["sandbox"],
  "sandbox.removed": ["sandbox", "run", "workspace"],
  "workspace.opened": ["inbox", "run", "workspace", "change", "sandbox", "usage", "project"],
  "workspace.refused": ["inbox", "run", "change", "usage"],
  "workspace.slept": ["inbox", "run", "workspace", "change", "sandbox", "usage"],
  "workspace.interrupted": ["inbox", "run", "workspace", "change", "sandbox", "usage"],
  "workspace.closed": ["inbox", "run", "workspace", "change", "changeSet", "sandbox", "usage", "project"],
  "changeset.proposed": ["inbox", "changeSet", "change", "run", "task", "project"],
  "changeset.reviewed": ["inbox", "changeSet", "change", "comment", "draft"],
  "changeset.commented": ["inbox", "changeSet", "change", "comment"],
  "changeset.thread_state_set": ["inbox", "changeSet", "change", "comment"],
  "changeset.merged": ["inbox", "changeSet", "change", "project"],
  "changeset.not_chosen": ["inbox", "changeSet", "change"],
  "intent.declared": ["intent", "change", "run"],
  "project.created": ["project", "inbox"],
  "project.archived": ["project", "inbox", "change", "run"],
  "change.created": ["change", "project", "inbox"],
  "task.created": ["task", "change", "project", "inbox"],
  "usage.cap_changed": ["usage", "setting", "audit"],
};

/** The routers to ask again after an event; null for all of them, when the type is one that this page does not know. */
export function routersOfEvent(type: string): readonly string[] | null {
  const routers = routersByType[type];
  return routers === undefined ? null : [...routers, "event"];
}

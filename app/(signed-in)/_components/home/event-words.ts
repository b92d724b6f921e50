/** An event in words, and where it leads. */
export interface EventWords {
  /** What is before the name. */
  what: string;
  /** What somebody or an agent named; shown as text from who knows whom. */
  name: string | null;
  href: string | null;
}

interface EventView {
  type: string;
  projectId: string | null;
  changeId: string | null;
  data: Record<string, unknown>;
}

/** Says what an event was. One of a type that is not known here is named by its type and loses nothing else. */
export function eventWords({ type, projectId, changeId, data }: EventView): EventWords {
  const text = (key: string): string | null => {
    const value = data[key];
    return typeof value === "string" ? value : null;
  };
  const to = (folder: string, id: string | null): string | null => (id === null ? null : `/${folder}/${id}`);
  const run = to("runs", text("runId"));
  const changeSet = to("change-sets", text("changeSetId"));
  const change = to("changes", changeId);
  const project = to("projects", projectId);
  switch (type) {
    case "workspace.opened":
      return { what: "A workspace was opened", name: null, href: run };
    case "workspace.refused":
      return { what: `A workspace was refused: ${reasonWords(text("reason"))}`, name: null, href: change };
    case "workspace.slept":
      return { what: "A workspace went to sleep", name: null, href: run };
    case "workspace.interrupted":
      return { what: "A workspace was interrupted", name: null, href: run };
    case "workspace.closed":
      return { what: `A Run ended: ${reasonWords(text("kind"))}`, name: null, href: run };
    case "changeset.proposed":
      return { what: "Proposed:", name: text("title"), href: changeSet };
    case "changeset.reviewed":
      return { what: verdictWords(text("verdict")), name: text("title"), href: changeSet };
    case "changeset.commented":
      return { what: "Commented:", name: text("title"), href: changeSet };
    case "changeset.thread_state_set":
      return { what: threadWords(text("to")), name: text("title"), href: changeSet };
    case "changeset.merged":
      return { what: "Merged:", name: text("title"), href: changeSet };
    case "changeset.not_chosen":
      return { what: "Not chosen:", name: text("title"), href: changeSet };
    case "intent.declared":
      return { what: "Intent:", name: text("title"), href: change };
    case "project.created":
      return { what: "New Project:", name: text("name"), href: project };
    case "project.archived":
      return { what: "Archived:", name: text("name"), href: project };
    case "change.created":
      return { what: "New Change:", name: text("title"), href: change };
    case "task.created":
      return { what: "New Task:", name: text("title"), href: change };
    case "sandbox.started":
      return { what: "A Sandbox was started", name: null, href: "/sandboxes" };
    case "sandbox.removed":
      return { what: `A Sandbox went away: ${reasonWords(text("reason"))}`, name: null, href: "/sandboxes" };
    case "usage.cap_changed":
      return { what: "The monthly cap was changed", name: null, href: "/usage" };
    default:
      return { what: type, name: null, href: changeSet ?? run ?? change ?? project };
  }
}

function reasonWords(reason: string | null): string {
  return reason === null ? "no reason given" : reason.replaceAll("_", " ");
}

function verdictWords(verdict: string | null): string {
  switch (verdict) {
    case "approve":
      return "Approved:";
    case "request_changes":
      return "Changes requested:";
    case "reject":
      return "Rejected:";
    default:
      return "Reviewed:";
  }
}

function threadWords(state: string | null): string {
  switch (state) {
    case "resolved":
      return "A thread was resolved:";
    case "wont_do":
      return "A thread was closed, won’t do:";
    default:
      return "A thread was opened again:";
  }
}

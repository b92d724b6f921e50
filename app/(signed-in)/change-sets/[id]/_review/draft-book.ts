import type { DraftTarget, Placement } from "./types";

/** What somebody writes on the page and has not sent. */
export interface Draft {
  id: string;
  /** The version that it is about, which may be older than the one on the page. */
  changeSetId: string;
  headCommit: string;
  version: number;
  target: DraftTarget;
  /** Null for what was begun on the version on the page: it is where its target says. */
  placement: Placement | null;
  body: string;
  status: DraftStatus;
  /** Whether its editor is open. A closed one waits for the review. */
  isOpen: boolean;
}

/** `failed`: the text is kept in this browser, and is saved again and again until it works. */
export type DraftStatus = "empty" | "unsaved" | "saving" | "saved" | "failed";

export interface DraftBook {
  list: () => readonly Draft[];
  get: (id: string) => Draft | undefined;
  subscribe: (listener: () => void) => () => void;
  /** Takes in what the server has; what is being written here stays as it is. */
  load: (drafts: readonly Draft[]) => void;
  begin: (draft: Omit<Draft, "status" | "isOpen" | "body">) => void;
  write: (id: string, body: string) => void;
  retarget: (id: string, target: DraftTarget) => void;
  setOpen: (id: string, isOpen: boolean) => void;
  /** Removes it here and on the server. */
  drop: (id: string) => void;
  /** It was sent: the server has removed it already. */
  forget: (ids: readonly string[]) => void;
  /** Saves everything now. False when something could not be saved. */
  flush: () => Promise<boolean>;
}

interface DraftBookDeps {
  save: (draft: Draft) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Where text is kept until the server has it. */
  keep: (draft: Draft) => void;
  release: (id: string) => void;
  /** Calls back after so many milliseconds; gives what cancels it. */
  later: (ms: number, run: () => void) => () => void;
}

/** Where the drafts of a page are while it is open. */
interface Shelf {
  drafts: Map<string, Draft>;
  change: (id: string, next: Partial<Draft>) => void;
  publish: () => void;
  list: () => readonly Draft[];
  subscribe: (listener: () => void) => () => void;
}

interface Saver {
  /** Saves it after so many milliseconds without another plan. */
  plan: (id: string, ms: number) => void;
  /** Saves it now, if it has to be. */
  save: (id: string) => Promise<void>;
  /** Whatever was planned is not done; gives what is under way. */
  cancel: (id: string) => Promise<void> | undefined;
}

const pauseMs = 500;
const retryMs = 4_000;

/** Holds all drafts of one page, above the parts of it that come and go while it scrolls. */
export function createDraftBook(deps: DraftBookDeps): DraftBook {
  const shelf = createShelf();
  const { drafts, change, publish } = shelf;
  const saver = createSaver(deps, shelf);
  const dropped = new Set<string>();
  const takeOut = (id: string): Promise<void> | undefined => {
    drafts.delete(id);
    dropped.add(id);
    deps.release(id);
    return saver.cancel(id);
  };
  const edit = (id: string, next: Partial<Draft>): void => {
    change(id, { ...next, status: "unsaved" });
    const draft = drafts.get(id);
    if (draft !== undefined) deps.keep(draft);
    saver.plan(id, pauseMs);
  };
  return {
    list: shelf.list,
    subscribe: shelf.subscribe,
    get: (id) => drafts.get(id),
    load: (loaded) => {
      for (const draft of loaded) {
        const known = drafts.get(draft.id);
        if (dropped.has(draft.id)) continue;
        if (known === undefined) drafts.set(draft.id, draft);
        else if (draft.placement !== null) drafts.set(draft.id, { ...known, placement: draft.placement });
        if (known === undefined && draft.status === "unsaved") saver.plan(draft.id, pauseMs);
      }
      publish();
    },
    begin: (draft) => {
      drafts.set(draft.id, { ...draft, body: "", status: "empty", isOpen: true });
      publish();
    },
    write: (id, body) => edit(id, { body }),
    retarget: (id, target) => {
      const draft = drafts.get(id);
      if (draft === undefined) return;
      if (draft.body.trim() === "") change(id, { target });
      else edit(id, { target });
    },
    setOpen: (id, isOpen) => change(id, { isOpen }),
    drop: (id) => {
      const isKnown = drafts.has(id);
      const underWay = takeOut(id);
      publish();
      if (!isKnown) return;
      // A removal that fails leaves a draft that shows again with the next look, which is no loss.
      void (underWay ?? Promise.resolve()).then(() => deps.remove(id)).catch(() => undefined);
    },
    forget: (ids) => {
      for (const id of ids) void takeOut(id);
      publish();
    },
    flush: async () => {
      await Promise.all([...drafts.keys()].map(saver.save));
      return [...drafts.values()].every(({ status }) => status === "saved" || status === "empty");
    },
  };
}

function createShelf(): Shelf {
  const drafts = new Map<string, Draft>();
  const listeners = new Set<() => void>();
  let snapshot: readonly Draft[] = [];
  const publish = (): void => {
    snapshot = [...drafts.values()];
    for (const listener of listeners) listener();
  };
  return {
    drafts,
    publish,
    change: (id, next) => {
      const draft = drafts.get(id);
      if (draft === undefined) return;
      drafts.set(id, { ...draft, ...next });
      publish();
    },
    list: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** One save of a draft at a time, so that an older text never overtakes a newer one. */
function createSaver(deps: DraftBookDeps, { drafts, change }: Shelf): Saver {
  const timers = new Map<string, () => void>();
  const underWay = new Map<string, Promise<void>>();
  const cancelTimer = (id: string): void => {
    timers.get(id)?.();
    timers.delete(id);
  };
  const plan = (id: string, ms: number): void => {
    cancelTimer(id);
    timers.set(
      id,
      deps.later(ms, () => void save(id)),
    );
  };
  const save = async (id: string): Promise<void> => {
    cancelTimer(id);
    while (underWay.has(id)) await underWay.get(id);
    const draft = drafts.get(id);
    if (draft === undefined || draft.status === "saved" || draft.status === "empty") return;
    const saving = attempt(draft);
    underWay.set(id, saving);
    await saving;
    underWay.delete(id);
  };
  const attempt = async (draft: Draft): Promise<void> => {
    change(draft.id, { status: "saving" });
    try {
      await deps.save(draft);
    } catch {
      change(draft.id, { status: "failed" });
      if (drafts.has(draft.id)) plan(draft.id, retryMs);
      return;
    }
    const now = drafts.get(draft.id);
    if (now === undefined) return;
    const isCurrent = now.body === draft.body && now.target === draft.target;
    if (isCurrent) deps.release(draft.id);
    change(draft.id, { status: isCurrent ? (now.body.trim() === "" ? "empty" : "saved") : "unsaved" });
    if (!isCurrent) plan(draft.id, pauseMs);
  };
  const cancel = (id: string): Promise<void> | undefined => {
    cancelTimer(id);
    return underWay.get(id);
  };
  return { plan, save, cancel };
}

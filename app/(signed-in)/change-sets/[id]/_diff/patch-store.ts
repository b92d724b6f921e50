import type { RawPatch } from "./patch-text";
import type { DiffFile } from "./places";
import { createChanges } from "./changes";
import { weigh } from "./file-weight";

export type BodyState<Body> =
  | { status: "unasked" }
  | { status: "loading" }
  | { status: "failed"; error: unknown }
  | { status: "ready"; body: Body };

export interface PatchRequest {
  paths: string[];
  /** Lines around each change. */
  context: number;
}

interface Deps<Body> {
  files: readonly DiffFile[];
  context: number;
  fetchPatches: (request: PatchRequest) => Promise<(RawPatch & { path: string })[]>;
  parse: (file: DiffFile, raw: RawPatch, how: { showsLongLines: boolean; context: number }) => Body;
  /** Lets the page breathe between two parses. */
  pause: () => Promise<void>;
  /** Calls back a little later, so that many changes are told as one. */
  soon: (tell: () => void) => void;
}

/** The bodies of one diff: what was asked for, what came, what failed. It asks only while somebody listens. */
export interface PatchStore<Body> {
  get: (path: string) => BodyState<Body>;
  /** Asks for bodies, the first of these before all others that still wait. */
  want: (paths: readonly string[]) => void;
  /** Asks for bodies after all others. */
  wantLater: (paths: readonly string[]) => void;
  /** Asks for one body anew, with what differs now. */
  reload: (path: string, how: { context?: number; showsLongLines?: boolean }) => void;
  subscribe: (listener: () => void) => () => void;
  /** Grows with every change. */
  revision: () => number;
}

const underWayMax = 2;
const batchMax = { files: 24, changedLines: 6_000, pathCharacters: 5_000 };
export const wholeFile = 100_000;

const unasked = { status: "unasked" } as const;
const loading = { status: "loading" } as const;

export function createPatchStore<Body>(deps: Deps<Body>): PatchStore<Body> {
  const fileByPath = new Map(deps.files.map((file) => [file.path, file]));
  const states = new Map<string, BodyState<Body>>();
  const raws = new Map<string, RawPatch>();
  const settings = new Map<string, { context: number; showsLongLines: boolean }>();
  const changes = createChanges(deps.soon);
  let waiting: string[] = [];
  let underWay = 0;

  const settingOf = (path: string): { context: number; showsLongLines: boolean } =>
    settings.get(path) ?? { context: deps.context, showsLongLines: false };
  const set = (path: string, state: BodyState<Body>): void => {
    states.set(path, state);
    changes.tell();
  };
  const parse = (path: string, raw: RawPatch): void => {
    const file = fileByPath.get(path);
    if (file === undefined) return;
    try {
      set(path, { status: "ready", body: deps.parse(file, raw, settingOf(path)) });
    } catch (error) {
      set(path, { status: "failed", error });
    }
  };

  const load = async (paths: string[], context: number): Promise<void> => {
    try {
      const items = await deps.fetchPatches({ paths, context });
      const found = new Map(items.map((item) => [item.path, item]));
      for (const path of paths) {
        const raw = found.get(path);
        if (raw === undefined)
          set(path, { status: "failed", error: new Error("The server has no diff of this file.") });
        else {
          raws.set(path, raw);
          parse(path, raw);
        }
        await deps.pause();
      }
    } catch (error) {
      for (const path of paths) set(path, { status: "failed", error });
    }
  };

  const pump = (): void => {
    while (underWay < underWayMax && waiting.length > 0 && changes.isHeard()) {
      const { batch, context } = takeBatch(waiting, fileByPath, (path) => settingOf(path).context);
      waiting = waiting.slice(batch.length);
      underWay += 1;
      void load(batch, context).finally(() => {
        underWay -= 1;
        pump();
      });
    }
  };
  const enqueue = (paths: readonly string[], isUrgent: boolean): void => {
    const fresh = paths.filter((path) => fileByPath.has(path) && !states.has(path));
    for (const path of fresh) states.set(path, loading);
    if (isUrgent) {
      const wanted = new Set(paths);
      const early = waiting.filter((path) => wanted.has(path));
      waiting = [...fresh, ...early, ...waiting.filter((path) => !wanted.has(path))];
    } else waiting = [...waiting, ...fresh];
    if (fresh.length > 0) changes.tell();
    pump();
  };

  return {
    get: (path) => states.get(path) ?? unasked,
    want: (paths) => enqueue(paths, true),
    wantLater: (paths) => enqueue(paths, false),
    reload: (path, how) => {
      const before = settingOf(path);
      const next = { ...before, ...how };
      settings.set(path, next);
      const raw = raws.get(path);
      if (raw !== undefined && next.context === before.context && states.get(path)?.status === "ready") {
        parse(path, raw);
        return;
      }
      waiting = [path, ...waiting.filter((other) => other !== path)];
      set(path, loading);
      pump();
    },
    subscribe: (listener) => {
      const leave = changes.subscribe(listener);
      pump();
      return leave;
    },
    revision: changes.revision,
  };
}

/** The next files that go well in one request: not too many, not too large together, with the same context. */
function takeBatch(
  waiting: readonly string[],
  fileByPath: ReadonlyMap<string, DiffFile>,
  contextOf: (path: string) => number,
): { batch: string[]; context: number } {
  const context = contextOf(waiting[0] ?? "");
  const batch: string[] = [];
  let changedLines = 0;
  let pathCharacters = 0;
  for (const path of waiting) {
    const file = fileByPath.get(path);
    changedLines += file === undefined ? 0 : weigh(file).changedLines;
    pathCharacters += encodeURIComponent(path).length;
    const isFull =
      batch.length >= batchMax.files ||
      changedLines > batchMax.changedLines ||
      pathCharacters > batchMax.pathCharacters ||
      contextOf(path) !== context;
    if (batch.length > 0 && isFull) break;
    batch.push(path);
  }
  return { batch, context };
}

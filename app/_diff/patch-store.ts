import { createChanges } from "./changes";
import { createPatchQueue } from "./patch-queue";
import type { RawPatch } from "./patch-text";
import type { DiffFile } from "./places";

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

interface Reading {
  context: number;
  showsLongLines: boolean;
}

interface Deps<Body> {
  files: readonly DiffFile[];
  context: number;
  fetchPatches: (request: PatchRequest) => Promise<(RawPatch & { path: string })[]>;
  parse: (file: DiffFile, raw: RawPatch, how: Reading) => Body;
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
  reload: (path: string, how: Partial<Reading>) => void;
  subscribe: (listener: () => void) => () => void;
  /** Grows with every change. */
  revision: () => number;
}

const underWayMax = 2;
/** As many lines around a change as no file has that is shown at all. */
export const wholeFile = 100_000;

const unasked = { status: "unasked" } as const;
const loading = { status: "loading" } as const;

export function createPatchStore<Body>(deps: Deps<Body>): PatchStore<Body> {
  const fileByPath = new Map(deps.files.map((file) => [file.path, file]));
  const states = new Map<string, BodyState<Body>>();
  const raws = new Map<string, RawPatch>();
  const readings = new Map<string, Reading>();
  const readingOf = (path: string): Reading =>
    readings.get(path) ?? { context: deps.context, showsLongLines: false };
  const changes = createChanges(deps.soon);
  const queue = createPatchQueue(fileByPath, (path) => readingOf(path).context);

  const set = (path: string, state: BodyState<Body>): void => {
    states.set(path, state);
    changes.tell();
  };
  const parse = (path: string, raw: RawPatch | undefined): void => {
    const file = fileByPath.get(path);
    try {
      if (file === undefined || raw === undefined) throw new Error("The server has no diff of this file.");
      raws.set(path, raw);
      set(path, { status: "ready", body: deps.parse(file, raw, readingOf(path)) });
    } catch (error) {
      set(path, { status: "failed", error });
    }
  };
  const load = async (request: PatchRequest): Promise<void> => {
    try {
      const found = new Map((await deps.fetchPatches(request)).map((item) => [item.path, item]));
      for (const path of request.paths) {
        parse(path, found.get(path));
        await deps.pause();
      }
    } catch (error) {
      for (const path of request.paths) if (!raws.has(path)) set(path, { status: "failed", error });
    }
  };
  const pump = createPump({ take: queue.take, isHeard: changes.isHeard, load });
  const askOnce = (paths: readonly string[]): void => {
    const fresh = paths.filter((path) => fileByPath.has(path) && !states.has(path));
    for (const path of fresh) set(path, loading);
    queue.last(fresh);
  };

  return {
    get: (path) => states.get(path) ?? unasked,
    want: (paths) => {
      askOnce(paths);
      queue.raise(paths);
      pump();
    },
    wantLater: (paths) => {
      askOnce(paths);
      pump();
    },
    reload: (path, how) => {
      const before = readingOf(path);
      readings.set(path, { ...before, ...how });
      const raw = raws.get(path);
      if (
        raw !== undefined &&
        readingOf(path).context === before.context &&
        states.get(path)?.status === "ready"
      ) {
        parse(path, raw);
        return;
      }
      // What is there stays until more is here.
      if (states.get(path)?.status !== "ready") set(path, loading);
      raws.delete(path);
      queue.last([path]);
      queue.raise([path]);
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

interface PumpDeps {
  take: () => PatchRequest | null;
  isHeard: () => boolean;
  load: (request: PatchRequest) => Promise<void>;
}

/** Keeps a few requests under way for as long as something waits and somebody listens. */
function createPump({ take, isHeard, load }: PumpDeps): () => void {
  let underWay = 0;
  const pump = (): void => {
    while (underWay < underWayMax && isHeard()) {
      const request = take();
      if (request === null) return;
      underWay += 1;
      void load(request).finally(() => {
        underWay -= 1;
        pump();
      });
    }
  };
  return pump;
}

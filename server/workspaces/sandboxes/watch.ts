import type { Events } from "../../events/service";
import type { Clock } from "../../platform/clock";
import type { RunInTransaction, Transaction } from "../../platform/db";
import type { SandboxList, SandboxRecord, Sandboxes } from "../../sandboxd/types";
import type { SandboxLifeStore } from "./store";
import type { SandboxEnd, SandboxLife } from "./types";

interface Deps {
  sandboxes: Pick<Sandboxes, "list">;
  store: SandboxLifeStore;
  storeIn: (tx: Transaction) => SandboxLifeStore;
  transaction: RunInTransaction;
  events: Pick<Events, "append">;
  clock: Clock;
}

/** Writes down which Sandboxes came and went. */
export interface SandboxWatch {
  /**
   * Compares what is written with what sandboxd reports. Each Sandbox's start and end is written once, each together with its
   * event, `sandbox.started` and `sandbox.removed`, whichever process looks and however often. Errors: those of sandboxd.
   */
  sweep(): Promise<void>;
}

export function createSandboxWatch(deps: Deps): SandboxWatch {
  return {
    sweep: async () => {
      // Read before sandboxd is asked: one that another look writes meanwhile is not missed in this look's list.
      const open = await deps.store.listOpen();
      const list = await deps.sandboxes.list();
      const known = new Set(await deps.store.listKnown(runtimeIdsOf([...list.live, ...list.gone])));
      for (const life of livesOf(list.live.filter(({ state }) => state === "live"))) {
        if (!known.has(life.runtimeId)) await begin(deps, life);
      }
      for (const life of open) {
        if (!isThere(life, list)) await end(deps, life, endOf(deps, list, life));
      }
      // What came and went between two looks.
      for (const life of livesOf(list.gone.toReversed())) {
        if (known.has(life.runtimeId)) continue;
        await begin(deps, life);
        await end(deps, life, endOf(deps, list, life));
      }
    },
  };
}

const sandboxIdOfLife = ({ projectId }: SandboxLife): string => `proj-${projectId}`;

function runtimeIdsOf(records: readonly SandboxRecord[]): string[] {
  return records.map(({ runtimeId }) => runtimeId).filter((id) => id !== null);
}

/** Of those whose container has been there; one that could not be started never lived. */
function livesOf(records: readonly SandboxRecord[]): SandboxLife[] {
  return records.flatMap(({ sandboxId, runtimeId, startedAt }) =>
    runtimeId === null || startedAt === null
      ? []
      : [{ runtimeId, projectId: sandboxId.slice("proj-".length), startedAt: new Date(startedAt) }],
  );
}

/** True too while its Sandbox starts: sandboxd may just be taking the container over after a restart. */
function isThere(life: SandboxLife, { live }: SandboxList): boolean {
  const sandbox = live.find(({ sandboxId }) => sandboxId === sandboxIdOfLife(life));
  return sandbox?.state === "starting" || sandbox?.runtimeId === life.runtimeId;
}

/** What sandboxd says of an end; after its restart it may know nothing of it. */
function endOf({ clock }: Deps, { gone }: SandboxList, { runtimeId }: SandboxLife): SandboxEnd {
  const record = gone.find((one) => one.runtimeId === runtimeId);
  return {
    at: record?.endedAt == null ? clock.now() : new Date(record.endedAt),
    reason: record?.endReason ?? "lost",
    detail: record?.detail ?? null,
  };
}

async function begin({ transaction, storeIn, events }: Deps, life: SandboxLife): Promise<void> {
  const { runtimeId, projectId, startedAt } = life;
  await transaction(async (tx) => {
    if (!(await storeIn(tx).begin(life))) return;
    await events.append(tx, {
      type: "sandbox.started",
      at: startedAt,
      projectId,
      changeId: null,
      data: { sandboxId: sandboxIdOfLife(life), runtimeId },
    });
  });
}

async function end(
  { transaction, storeIn, events }: Deps,
  life: SandboxLife,
  how: SandboxEnd,
): Promise<void> {
  const { runtimeId, projectId } = life;
  await transaction(async (tx) => {
    if (!(await storeIn(tx).end(runtimeId, how))) return;
    await events.append(tx, {
      type: "sandbox.removed",
      at: how.at,
      projectId,
      changeId: null,
      data: { sandboxId: sandboxIdOfLife(life), runtimeId, reason: how.reason, detail: how.detail },
    });
  });
}

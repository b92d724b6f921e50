import type { Events } from "../events/service";
import type { Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type {
  Proposal,
  ProposalSink,
  ProposedChangeSet,
  Revisions,
} from "../workspaces/completion/proposals";
import { everything } from "../access/scope";
import { isRevisable } from "./state";
import type { HistoryWriter } from "./history/store";
import type { ChangeSetStore, ChangeSetWriter } from "./store";
import type { ChangeSetRecord } from "./types";

interface ProposalDeps {
  store: ChangeSetStore;
  writerIn: (tx: Transaction) => ChangeSetWriter;
  history: HistoryWriter;
  events: Events;
  ids: Ids;
}

/** Turns completed Runs into ChangeSets: one a Run, numbered without a gap in their series whatever completes at once. */
export function createProposals(deps: ProposalDeps): ProposalSink & Revisions {
  const { store } = deps;
  return {
    write: (tx, proposal) => write(deps, tx, proposal),
    findByRun: async (runId) => {
      const found = await store.findByRun(runId);
      return found === null ? null : toProposed(found);
    },
    findBase: async ({ revisesChangeSetId, startCommit }) =>
      revisesChangeSetId === null
        ? startCommit
        : (await requireChangeSet(store, revisesChangeSetId)).baseCommit,
    canRevise: async (changeSetId, taskId) => {
      const found = await store.find(changeSetId, everything);
      if (found === null || found.taskId !== taskId || !isRevisable(found.state)) {
        throw new DomainError(
          "conflict.stale",
          "revisesChangeSetId names no ChangeSet of this Task that can be revised now.",
          { field: "revisesChangeSetId" },
        );
      }
      return { headCommit: found.headCommit, projectId: found.projectId };
    },
  };
}

async function write(deps: ProposalDeps, tx: Transaction, proposal: Proposal): Promise<ProposedChangeSet> {
  const { writerIn, history, events, ids } = deps;
  const writer = writerIn(tx);
  const known = await writer.findByRun(proposal.runId);
  if (known !== null) return toProposed(known);

  const { revisesChangeSetId, startCommit, stats, at, ...given } = proposal;
  const place =
    revisesChangeSetId === null
      ? { seriesId: ids.uuid(), version: 1, baseCommit: startCommit }
      : await nextVersion(deps, writer, revisesChangeSetId);
  const record: ChangeSetRecord = {
    ...given,
    ...place,
    ...stats,
    id: ids.uuid(),
    state: "proposed",
    createdAt: at,
  };
  if (!(await writer.create(record))) {
    const first = await writer.findByRun(proposal.runId);
    if (first === null)
      throw new Error(`The ChangeSet of Run ${proposal.runId} was neither written nor found.`);
    return toProposed(first);
  }
  const superseded = await writer.supersede(place.seriesId, place.version);
  const { runId } = record;
  await history.append(tx, record, { at, actor: null, what: "proposed", data: { runId } });
  for (const older of superseded) {
    await history.append(tx, older, { at, actor: null, what: "superseded", data: { by: record.id } });
  }
  await events.append(tx, {
    type: "changeset.proposed",
    at,
    projectId: record.projectId,
    changeId: record.changeId,
    data: {
      changeSetId: record.id,
      taskId: record.taskId,
      runId: record.runId,
      seriesId: record.seriesId,
      version: record.version,
      title: record.title,
      supersedes: superseded.map(({ id }) => id),
    },
  });
  return toProposed(record);
}

async function nextVersion(
  { store }: ProposalDeps,
  writer: ChangeSetWriter,
  revisesChangeSetId: string,
): Promise<{ seriesId: string; version: number; baseCommit: string }> {
  const { seriesId } = await requireChangeSet(store, revisesChangeSetId);
  const latest = await writer.lockSeries(seriesId);
  return { seriesId, version: latest.version + 1, baseCommit: latest.baseCommit };
}

/** The Run could only be opened because it was there, and a ChangeSet is never removed. */
async function requireChangeSet(store: ChangeSetStore, id: string): Promise<ChangeSetRecord> {
  const found = await store.find(id, everything);
  if (found === null) throw new Error(`The ChangeSet ${id} that a Run revises is not there.`);
  return found;
}

function toProposed({ id, seriesId, version, baseCommit }: ChangeSetRecord): ProposedChangeSet {
  return { changeSetId: id, seriesId, version, baseCommit };
}

import { randomUUID } from "node:crypto";
import { createHistoryWriter } from "../changesets/history/store";
import { createProposals } from "../changesets/proposals";
import type { Reviewing } from "../changesets/reviewing";
import { createChangeSetStore, createChangeSetWriter } from "../changesets/store";
import type { ChangeSetRecord } from "../changesets/types";
import { wireReviewing } from "../entry/wire-reviewing";
import { createEvents } from "../events/service";
import { createEventStore } from "../events/store";
import { forkRef, type GitService } from "../git/types";
import { createIdempotency } from "../idempotency/service";
import { createCallStore } from "../idempotency/store";
import type { Actor } from "../access/types";
import { everything } from "../access/scope";
import { createSystemClock } from "../platform/clock";
import { createTransactions, type Db, type RunInTransaction } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { createSilentLogger } from "../platform/logger";
import { createSettingsService } from "../settings/service";
import { createSettingStore } from "../settings/store";
import { createTestDatabase, type TestDatabase } from "./database";
import {
  cloneFork,
  commitFiles,
  createFork,
  createGitWorld,
  createProject,
  mustGit,
  withToken,
  type GitWorld,
} from "./git-world";
import { createLife, mortal, type Life } from "./mortal";
import { insertRun, insertTask, type TaskRows } from "./run-rows";

/** ChangeSets on a real database and real git, judged by any number of web processes. */
export interface ReviewWorld {
  db: Db;
  git: GitWorld;
  /** A process with a pool of its own. It dies before the step with that number: a call of git, or a transaction. */
  process(diesAtStep?: number | null): ReviewProcess;
  task(files?: Readonly<Record<string, string>>): Promise<TaskWorld>;
  propose(
    task: TaskWorld,
    files: Readonly<Record<string, string>>,
    revises?: ChangeSetRecord,
  ): Promise<ChangeSetRecord>;
  find(changeSet: Pick<ChangeSetRecord, "id">): Promise<ChangeSetRecord>;
  close(): Promise<void>;
}

export interface ReviewProcess extends Reviewing {
  life: Life;
}

export interface TaskWorld extends TaskRows {
  /** The canonical repository's first commit. */
  commit: string;
}

/** Somebody who signed in. */
export function person(name: string): Actor {
  return { id: randomUUID(), kind: "person", name };
}

export async function createReviewWorld(): Promise<ReviewWorld> {
  const [database, git] = await Promise.all([createTestDatabase(), createGitWorld()]);
  const db = database.open();
  const ids = createSystemIds();
  const events = createEvents({ store: createEventStore(db), clock: createSystemClock(), ids });
  const store = createChangeSetStore(db);
  const history = createHistoryWriter({ ids });
  const proposals = createProposals({ store, writerIn: createChangeSetWriter, history, events, ids });
  const find = async ({ id }: Pick<ChangeSetRecord, "id">): Promise<ChangeSetRecord> => {
    const found = await store.find(id, everything);
    if (found === null) throw new Error(`no ChangeSet ${id}`);
    return found;
  };
  return {
    db,
    git,
    find,
    process: (diesAtStep = null) => startProcess(database, git.client, diesAtStep),
    task: async (files) => {
      const { projectId, commit } = await createProject(git, files);
      return { ...(await insertTask(db, projectId)), commit };
    },
    propose: async ({ commit, ...task }, files, revises) => {
      const runId = await insertRun(db, task);
      const startCommit = revises?.headCommit ?? commit;
      const headCommit = await pushCommit(git, { projectId: task.projectId, startCommit, files });
      const made = await createTransactions(db)((tx) =>
        proposals.write(tx, {
          ...task,
          runId,
          revisesChangeSetId: revises?.id ?? null,
          title: "Adds a limit",
          summary: "",
          startCommit,
          headCommit,
          stats: { filesChanged: 1, insertions: 1, deletions: 0 },
          at: createSystemClock().now(),
        }),
      );
      return find({ id: made.changeSetId });
    },
    close: async () => {
      await Promise.all([database.drop(), git.close()]);
    },
  };
}

/** A kept commit on top of another; its fork is gone. */
async function pushCommit(
  git: GitWorld,
  {
    projectId,
    startCommit,
    files,
  }: { projectId: string; startCommit: string; files: Readonly<Record<string, string>> },
): Promise<string> {
  const fork = await createFork(git, { projectId, commit: startCommit });
  const directory = await cloneFork(git, fork);
  for (const [path, text] of Object.entries(files)) {
    if (text.startsWith("renamed from ")) {
      await mustGit(["mv", text.slice("renamed from ".length), path], { cwd: directory });
    } else if (text === "removed") await mustGit(["rm", "-q", path], { cwd: directory });
  }
  const written = Object.entries(files).filter(
    ([, text]) => text !== "removed" && !text.startsWith("renamed from "),
  );
  const commit = await commitFiles(directory, Object.fromEntries(written));
  const push = { ref: forkRef, oldCommit: startCommit, newCommit: commit };
  const { token } = await git.client.mintPushToken({ ...fork, ...push });
  await mustGit(["push", "-q", "origin", `HEAD:${forkRef}`], { cwd: directory, env: withToken(token) });
  await git.client.keepCommit({ ...fork, commit });
  await git.client.removeFork(fork);
  return commit;
}

function startProcess(database: TestDatabase, git: GitService, diesAtStep: number | null): ReviewProcess {
  const db = database.open();
  const life = createLife(diesAtStep);
  const [clock, ids, logger] = [createSystemClock(), createSystemIds(), createSilentLogger()];
  const transact = createTransactions(db);
  // Dead before it: nothing is kept. Dead after it: it is kept, and nobody hears of it.
  const transaction: RunInTransaction = async (work) => {
    const before = life.refuses("transaction");
    if (before !== null) throw before;
    const result = await transact(work);
    const after = life.refuses("the answer of a transaction");
    if (after !== null) throw after;
    return result;
  };
  const merge: GitService["merge"] = async (input) => {
    const answer = await git.merge(input);
    const after = life.refuses("the answer of git.merge");
    if (after !== null) throw after;
    return answer;
  };
  const reviewing = wireReviewing({
    db,
    git: mortal({ ...git, merge }, life, "git"),
    emailOf: ({ kind }) => Promise.resolve(kind === "person" ? "ada@example.test" : null),
    history: createHistoryWriter({ ids }),
    audit: createSettingsService({ store: createSettingStore(db), ids, environment: [] }),
    events: createEvents({ store: createEventStore(db), clock, ids }),
    idempotency: createIdempotency({ store: createCallStore(db), clock, ids, logger }),
    transaction,
    clock,
    ids,
    logger,
  });
  return { ...reviewing, life };
}

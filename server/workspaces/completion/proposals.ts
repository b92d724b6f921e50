import type { Transaction } from "../../platform/db";

/** What a completed Run proposes: two commits, and the words of its agent. */
export interface Proposal {
  runId: string;
  taskId: string;
  changeId: string;
  projectId: string;
  /** The ChangeSet that the Run was opened to revise; null for a new series. */
  revisesChangeSetId: string | null;
  title: string;
  summary: string;
  /** What the Run began with: its commit's only parent. */
  startCommit: string;
  headCommit: string;
  /** From the base that the ChangeSet will have to `headCommit`: see `findBase`. */
  stats: { filesChanged: number; insertions: number; deletions: number };
  at: Date;
}

/** The ChangeSet that stands for a Run. */
export interface ProposedChangeSet {
  changeSetId: string;
  seriesId: string;
  version: number;
  /** What a patch of the whole proposal begins at: for version 1 the start commit, else its predecessor's base. */
  baseCommit: string;
}

/** Where the proposals of completed Runs go. ChangeSets implement it; workspaces call it. */
export interface ProposalSink {
  /**
   * Writes the ChangeSet of a Run and its event in the caller's transaction. A repeat for the same Run gives the same
   * ChangeSet and writes nothing.
   * Concurrency: the last call in its transaction, because its event makes other writers of events wait until the commit.
   */
  write(tx: Transaction, proposal: Proposal): Promise<ProposedChangeSet>;
  /** The ChangeSet of a Run; null when none was written. */
  findByRun(runId: string): Promise<ProposedChangeSet | null>;
  /** The base commit that a proposal will get, so that its stats can be counted before the transaction. */
  findBase(proposal: Pick<Proposal, "revisesChangeSetId" | "startCommit">): Promise<string>;
}

/** Whether a new Run may continue a ChangeSet, and from where. */
export interface Revisions {
  /**
   * The head that a Run of this Task starts from when it revises the ChangeSet.
   * Errors: `conflict.stale` when it is no ChangeSet of that Task, or is one that can't be revised any more.
   */
  canRevise(changeSetId: string, taskId: string): Promise<{ headCommit: string; projectId: string }>;
}

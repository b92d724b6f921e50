import type { Caller } from "../../access/types";
import { describeError, DomainError } from "../../platform/errors";
import type { WorkspaceDeps } from "../deps";
import { toStorableText } from "../../platform/storable-text";
import { runScopeOf, type Gate } from "../lifecycle/awake";
import { cleanUpQuietly, settleEnd } from "../lifecycle/end";
import { keepLease, leaseUntil, type Lease } from "../lifecycle/lease";
import { everyRun } from "../runs/store";
import { isEnded } from "../runs/state";
import { forkOf, sandboxIdOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";
import type { CompleteTaskInput, CompleteTaskResult } from "../schema";
import { pushSnapshot, takeSnapshot } from "./snapshot";

/**
 * Turns a Run's working tree into a ChangeSet, once. Asked again it gives the first answer, and after any crash it goes
 * on from the last step that was done: a commit that was pushed is not pushed again.
 * Errors: `run.busy` while a command runs or another call completes; `run.ended` after another end; `git.rejected` when
 * the commit could not be made or pushed: the Run is open again and nothing is lost.
 */
export async function completeTask(
  deps: WorkspaceDeps,
  gate: Gate,
  caller: Caller,
  input: CompleteTaskInput,
): Promise<CompleteTaskResult> {
  const scope = runScopeOf(caller);
  const found = await deps.stores.runs.find(input.runId, scope);
  if (found === null) throw new DomainError("run.not_found", "There is no such run.");
  const known = await findResult(deps, found);
  if (known !== null) return known;
  const run =
    found.state === "completing" ? await takeOver(deps, found) : await begin(deps, gate, caller, input);
  return carryOn(deps, run);
}

/** The answer of a Run that was completed before; null when it is still to be completed. */
async function findResult(deps: WorkspaceDeps, run: RunRecord): Promise<CompleteTaskResult | null> {
  if (run.state === "no_changes") return { status: "no_changes" };
  if (run.state === "proposed") {
    const changeSet = await deps.proposals.findByRun(run.id);
    if (changeSet === null || run.resultCommit === null)
      throw new Error(`The proposed Run ${run.id} has no ChangeSet.`);
    const stats = await statsOf(deps, run, changeSet.baseCommit, run.resultCommit);
    return { status: "proposed", ...changeSet, headCommit: run.resultCommit, ...stats };
  }
  if (isEnded(run.state))
    throw new DomainError("run.ended", `This Run has ended as ${run.state}.`, { state: run.state });
  return null;
}

async function begin(
  deps: WorkspaceDeps,
  gate: Gate,
  caller: Caller,
  input: CompleteTaskInput,
): Promise<CompletingRun> {
  return gate.within(caller, input.runId, async ({ run }) => {
    const patch = {
      state: "completing" as const,
      stateDeadlineAt: leaseUntil(deps),
      // As they are stored, so that whoever goes on from here makes the same commit.
      proposalTitle: toStorableText(input.title),
      proposalSummary: toStorableText(input.summary),
      lastActivityAt: deps.clock.now(),
    };
    await deps.transaction(async (tx) => {
      const { runs, commands, files } = deps.storesIn(tx);
      // A change of a file that is under way is finished first; one that comes later finds the Run completing.
      await files.lock(run.id);
      if (!(await runs.move(run.id, ["open"], patch, { runtimeId: run.runtimeId }))) {
        throw new DomainError("run.busy", "Another call ends or completes this Run. Ask again in a moment.");
      }
      const running = await commands.listRunning(run.id);
      if (running.length > 0) {
        const commandIds = running.map(({ id }) => id);
        const sentence = "A command is under way. Wait for it with waitCommand, then complete.";
        throw new DomainError("run.busy", sentence, { commandIds });
      }
    });
    return { ...run, ...patch };
  });
}

/** Goes on with a completion that nobody drives any more. Errors: `run.busy` when somebody does. */
async function takeOver(deps: WorkspaceDeps, run: RunRecord): Promise<CompletingRun> {
  const stateDeadlineAt = leaseUntil(deps);
  const isStale = run.stateDeadlineAt !== null && run.stateDeadlineAt < deps.clock.now();
  if (
    !isStale ||
    !(await deps.stores.runs.move(
      run.id,
      ["completing"],
      { stateDeadlineAt },
      { stateDeadlineAt: run.stateDeadlineAt },
    ))
  ) {
    throw new DomainError("run.busy", "This Run is being completed. Ask again in a moment.", {
      state: "completing",
    });
  }
  return { ...run, stateDeadlineAt };
}

/** The sweep's part: takes over a stale completion and drives it to its end, or back to where it can be asked for again. */
export async function resumeCompletion(deps: WorkspaceDeps, run: RunRecord): Promise<void> {
  await carryOn(deps, await takeOver(deps, run));
}

/** A Run that this call completes, until its lease is over. */
type CompletingRun = RunRecord & { stateDeadlineAt: Date };

async function carryOn(deps: WorkspaceDeps, run: CompletingRun): Promise<CompleteTaskResult> {
  const lease = keepLease(deps, run, { state: "completing", until: run.stateDeadlineAt });
  try {
    const headCommit = await findOrPush(deps, run, lease);
    return await finish(deps, run, headCommit);
  } catch (error) {
    return await resultOfOther(deps, run, error);
  } finally {
    await lease.end();
  }
}

/** When somebody else has ended the Run meanwhile, that end is the answer; else what broke. */
async function resultOfOther(
  deps: WorkspaceDeps,
  { id }: RunRecord,
  error: unknown,
): Promise<CompleteTaskResult> {
  const now = await deps.stores.runs.find(id, everyRun);
  if (now === null || !isEnded(now.state)) throw error;
  const result = await findResult(deps, now);
  if (result === null) throw error;
  return result;
}

/** The commit that stands for the Run: the one that a try before pushed, else one made now; null when nothing changed. */
async function findOrPush(deps: WorkspaceDeps, run: RunRecord, lease: Lease): Promise<string | null> {
  const pushed = await findPushed(deps, run);
  if (pushed !== null) return pushed;
  try {
    return await commitAndPush(deps, run);
  } catch (error) {
    // A push whose answer was lost has happened all the same; then the next call goes on from it.
    if ((await findPushed(deps, run)) !== null) throw error;
    await reopen(deps, { ...run, stateDeadlineAt: await lease.end() }, error);
    throw error;
  }
}

async function findPushed(deps: WorkspaceDeps, run: RunRecord): Promise<string | null> {
  const head = await deps.git.getForkHead(forkOf(run));
  return head === null || head.commit === run.baseCommit ? null : head.commit;
}

/** Null when the tree is what the Run began with. */
async function commitAndPush(deps: WorkspaceDeps, run: RunRecord): Promise<string | null> {
  try {
    return await commitAndPushWith(deps, run, { isBorrowing: true });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "git.rejected") throw error;
    // Perhaps the objects in the agent's own repository are broken: without them it costs a fetch and works.
    return await commitAndPushWith(deps, run, { isBorrowing: false });
  }
}

async function commitAndPushWith(
  deps: WorkspaceDeps,
  run: RunRecord,
  { isBorrowing }: { isBorrowing: boolean },
): Promise<string | null> {
  const snapshot = await takeSnapshot(deps, run, {
    title: run.proposalTitle ?? "",
    summary: run.proposalSummary ?? "",
    at: run.lastActivityAt,
    isBorrowing,
  });
  const base = await deps.git.getCommit({ projectId: run.projectId, commit: run.baseCommit ?? "" });
  if (snapshot.tree === base.tree) return null;
  await pushSnapshot(deps, run, snapshot);
  return snapshot.commit;
}

async function finish(
  deps: WorkspaceDeps,
  run: RunRecord,
  headCommit: string | null,
): Promise<CompleteTaskResult> {
  const kept = headCommit === null ? null : await deps.git.keepCommit({ ...forkOf(run), commit: headCommit });
  if (kept !== null && (kept.parents.length !== 1 || kept.parents[0] !== run.baseCommit)) {
    throw new DomainError("git.rejected", "The pushed commit does not follow the Run's start commit.");
  }
  const result = await writeEnd(deps, run, kept);
  await cleanUpQuietly(deps, run);
  return result;
}

async function writeEnd(
  deps: WorkspaceDeps,
  run: RunRecord,
  kept: { commit: string; tree: string } | null,
): Promise<CompleteTaskResult> {
  const now = deps.clock.now();
  const startCommit = run.baseCommit ?? "";
  const base = await deps.proposals.findBase({ revisesChangeSetId: run.revisesChangeSetId, startCommit });
  const stats = kept === null ? null : await statsOf(deps, run, base, kept.commit);
  return deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    const isOurs = await runs.move(run.id, ["completing"], {
      state: kept === null ? "no_changes" : "proposed",
      stateDeadlineAt: null,
      resultCommit: kept?.commit ?? null,
      resultTree: kept?.tree ?? null,
      endKind: "completed",
      endedAt: now,
    });
    if (!isOurs) throw new DomainError("run.ended", "The Run was ended while it was completed.");
    // The slot before the meter, as an open takes them: two transactions never wait for each other crosswise.
    await runs.freeSlot(run.changeId);
    await settleEnd(deps, tx, run.id, now);
    const state = kept === null ? "no_changes" : "proposed";
    await runs.appendEvent(run.id, {
      kind: "ended",
      at: now,
      data: { state, kind: "completed", reason: null },
    });
    const proposed = kept === null || stats === null ? null : { headCommit: kept.commit, stats };
    const changeSet =
      proposed === null
        ? null
        : await deps.proposals.write(tx, {
            runId: run.id,
            taskId: run.taskId,
            changeId: run.changeId,
            projectId: run.projectId,
            revisesChangeSetId: run.revisesChangeSetId,
            title: run.proposalTitle ?? "",
            summary: run.proposalSummary ?? "",
            startCommit,
            ...proposed,
            at: now,
          });
    // Events come last: whoever writes one holds up every other writer until the commit.
    await deps.events.append(tx, {
      type: "workspace.closed",
      at: now,
      projectId: run.projectId,
      changeId: run.changeId,
      data: { runId: run.id, taskId: run.taskId, state, kind: "completed" },
    });
    if (changeSet === null || proposed === null) return { status: "no_changes" };
    return { status: "proposed", ...changeSet, headCommit: proposed.headCommit, ...proposed.stats };
  });
}

/** A completion that failed leaves the Run open, or asleep when its Sandbox is gone; it can be completed again. */
async function reopen(deps: WorkspaceDeps, run: RunRecord, cause: unknown): Promise<void> {
  const why = describeError(cause);
  const sandbox = await deps.sandboxes.find(sandboxIdOf(run.projectId)).catch(() => null);
  const isThere = sandbox?.state === "live" && sandbox.runtimeId === run.runtimeId;
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const { runs } = deps.storesIn(tx);
    const patch = isThere ? ({ state: "open" } as const) : ({ state: "asleep", sessionId: null } as const);
    const isOurs = await runs.move(
      run.id,
      ["completing"],
      { ...patch, stateDeadlineAt: null, lastActivityAt: now },
      { stateDeadlineAt: run.stateDeadlineAt },
    );
    if (!isOurs) return;
    if (!isThere && run.sessionId !== null) {
      await deps.meter.settle(tx, { sessionId: run.sessionId, now, idleSince: null });
    }
    await runs.appendEvent(run.id, {
      kind: "note",
      at: now,
      data: { text: `Completing did not succeed: ${why}` },
    });
  });
}

function statsOf(
  deps: WorkspaceDeps,
  run: RunRecord,
  base: string,
  head: string,
): Promise<{ filesChanged: number; insertions: number; deletions: number }> {
  return deps.git.diffStats({ projectId: run.projectId, base, head });
}

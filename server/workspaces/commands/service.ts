import type { Caller } from "../../access/types";
import { DomainError } from "../../platform/errors";
import type { OutputStream } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { runScopeOf, WorkspaceMovedError, type AwakeRun, type Gate } from "../lifecycle/awake";
import { carryOutOnce } from "../once";
import { isEnded } from "../runs/state";
import type { Restoration } from "../runs/types";
import type { CommandResult, RunCommandInput, WaitCommandInput } from "../schema";
import type { CommandFollower } from "./follower";
import { headAndTail, type OutputText } from "./output-text";
import { proxyEnvironment } from "./proxy-environment";
import { rejectMissingCompiler } from "./rejection";
import { decideCommand } from "./rules";
import { packageJsonBytesMax, readScripts } from "./scripts";
import type { CommandRecord } from "./store";
import type { CommandAcceptance, CommandRejection, ScriptsReading } from "./types";

/** The command tools. A command is written before it starts and followed to its end, whoever waits for it. */
export interface CommandTools {
  runCommand(caller: Caller, input: RunCommandInput): Promise<CommandResult>;
  waitCommand(caller: Caller, input: WaitCommandInput): Promise<CommandResult>;
}

const pollMs = 200;
/** As many as a Sandbox lists at once; a folder of programs has fewer. */
const binEntriesMax = 5_000;
/** Each end of a stream that a result may show. */
const shownBytes = 64 * 1024;

interface Tools extends CommandToolDeps {
  deps: WorkspaceDeps;
}

interface CommandToolDeps {
  gate: Gate;
  follower: CommandFollower;
}

export function createCommandTools(deps: WorkspaceDeps, parts: CommandToolDeps): CommandTools {
  const tools: Tools = { deps, ...parts };
  return {
    runCommand: async (caller, { waitMs, ...input }) => {
      const started = await carryOutOnce(
        deps.idempotency,
        { caller, procedure: "workspace.runCommand", scopeId: input.runId, input },
        (result) => result.status === "started",
        () => startCommand(tools, caller, input),
      );
      if (started.status === "rejected") return started;
      return waitFor(tools, { runId: input.runId, commandId: started.commandId, waitMs }, started.restored);
    },
    waitCommand: async (caller, input) => {
      if ((await deps.stores.runs.find(input.runId, runScopeOf(caller))) === null) {
        throw new DomainError("run.not_found", "There is no such run.");
      }
      return waitFor(tools, input, undefined);
    },
  };
}

type StartInput = Omit<RunCommandInput, "waitMs">;

/** A command that runs now; a repeat of the call finds it by its id, in whatever state it is then. */
type Started = { status: "started"; commandId: string; restored?: Restoration };

async function startCommand(
  tools: Tools,
  caller: Caller,
  input: StartInput,
): Promise<Started | Extract<CommandResult, { status: "rejected" }>> {
  // What its words alone rule out wakes nothing and costs nothing.
  const early = decideCommand({ text: input.command, scripts: { status: "unread" } });
  if (early.status === "rejected" && early.reason !== "scripts_unread") {
    const run = await tools.deps.stores.runs.find(input.runId, runScopeOf(caller));
    // A workspace that is awake can be asked which scripts to name in what is allowed.
    if (run?.state !== "open") return recordRejection(tools, caller, input, early);
  }
  return tools.gate.within(caller, input.runId, (awake) => decideAndStart(tools, caller, input, awake));
}

async function decideAndStart(
  tools: Tools,
  caller: Caller,
  input: StartInput,
  awake: AwakeRun,
): Promise<Started | Extract<CommandResult, { status: "rejected" }>> {
  const { deps } = tools;
  const scripts = await readWorkspaceScripts(deps, awake);
  const decision = decideCommand({ text: input.command, scripts });
  const restored = awake.restored === undefined ? {} : { restored: awake.restored };
  if (decision.status === "rejected") {
    return { ...(await recordRejection(tools, caller, input, decision)), ...restored };
  }
  if (await isMissing(deps, awake, decision)) {
    const rejection = rejectMissingCompiler(scripts);
    return { ...(await recordRejection(tools, caller, input, rejection)), ...restored };
  }
  const commandId = await start(tools, awake, input, decision);
  return { status: "started", commandId, ...restored };
}

async function readWorkspaceScripts(deps: WorkspaceDeps, { place }: AwakeRun): Promise<ScriptsReading> {
  try {
    const file = await deps.sandboxes.readFile({
      sandboxId: place.sandboxId,
      uid: place.uid,
      root: place.directory,
      path: "package.json",
      bytesMax: packageJsonBytesMax,
    });
    return file.truncated ? { status: "too_large" } : readScripts(file.bytes);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "file.not_found") return { status: "absent" };
    if (error.code === "file.not_regular" || error.code === "path.outside_workspace")
      return { status: "unreadable" };
    throw error;
  }
}

/** Whether a file that the command needs is not there, a link or not. */
async function isMissing(
  deps: WorkspaceDeps,
  { place }: AwakeRun,
  decision: CommandAcceptance,
): Promise<boolean> {
  const required = decision.execution.requiredPath;
  if (required === null) return false;
  const directory = required.slice(0, required.lastIndexOf("/"));
  try {
    const { items } = await deps.sandboxes.listFiles({
      sandboxId: place.sandboxId,
      uid: place.uid,
      root: place.directory,
      path: directory,
      depth: 1,
      limit: binEntriesMax,
    });
    return !items.some((item) => item.path === required);
  } catch (error) {
    if (error instanceof DomainError && ["file.not_found", "file.not_regular"].includes(error.code))
      return true;
    throw error;
  }
}

async function start(
  { deps, follower }: Tools,
  { run, place }: AwakeRun,
  input: StartInput,
  { argv, execution, isExclusive }: CommandAcceptance,
): Promise<string> {
  const commandId = deps.ids.uuid();
  const at = deps.clock.now();
  const isStarted = await deps.transaction(async (tx) => {
    const { runs, commands } = deps.storesIn(tx);
    const row = {
      id: commandId,
      runId: run.id,
      text: input.command,
      argv: [...argv],
      timeoutMs: input.timeoutMs,
    };
    if (!(await commands.start({ ...row, isExclusive, at, followedUntil: follower.leaseUntil() })))
      return false;
    // Whoever completes or ends the Run waits for this row, and then sees the command; or it was first, and is seen here.
    if (!(await runs.move(run.id, ["open"], { lastActivityAt: at }, { runtimeId: run.runtimeId })))
      throw new WorkspaceMovedError();
    await runs.appendEvent(run.id, {
      kind: "command",
      at,
      data: { commandId, status: "running", command: input.command, argv: [...argv] },
    });
    return true;
  });
  if (!isStarted) {
    throw new DomainError(
      "run.busy",
      "A bun command is under way in this Run. Wait for it with waitCommand.",
      {
        commandIds: (await deps.stores.commands.listRunning(run.id)).map(({ id }) => id),
      },
    );
  }
  follower
    .start(run, {
      commandId,
      uid: place.uid,
      argv: execution.argv,
      cwd: place.directory,
      env: isExclusive ? { ...execution.env, ...proxyEnvironment(run.id) } : execution.env,
      timeoutMs: input.timeoutMs,
    })
    .catch((error: unknown) => {
      deps.logger.error({ err: error, runId: run.id, commandId }, "a command could not be followed");
    });
  return commandId;
}

/** Waits for the command's end for at most `waitMs`, whichever process follows it, and says what is known then. */
async function waitFor(
  { deps, follower }: Tools,
  { runId, commandId, waitMs }: { runId: string; commandId: string; waitMs: number },
  restored: Restoration | undefined,
): Promise<CommandResult> {
  const endMs = deps.clock.monotonicMs() + waitMs;
  for (;;) {
    const command = await deps.stores.commands.find(runId, commandId);
    if (command === null) throw new DomainError("command.not_found", "This Run has no such command.");
    const leftMs = endMs - deps.clock.monotonicMs();
    if (command.state !== "running" || leftMs <= 0) return toResult(deps, command, restored);
    const pause = deps.clock.sleep(Math.min(leftMs, pollMs));
    const end = follower.endOf(commandId);
    // A command of this process is seen to end at once; one of another process within the pause.
    await (end === undefined
      ? pause
      : Promise.race([
          end.then(
            () => undefined,
            () => pause,
          ),
          pause,
        ]));
  }
}

async function toResult(
  deps: WorkspaceDeps,
  command: CommandRecord,
  restored: Restoration | undefined,
): Promise<CommandResult> {
  const [stdout, stderr] = await Promise.all([
    textOf(deps, command, "stdout"),
    textOf(deps, command, "stderr"),
  ]);
  const common = {
    commandId: command.id,
    argv: command.argv,
    stdout,
    stderr,
    ...(restored === undefined ? {} : { restored }),
  };
  switch (command.state) {
    case "running":
      return { status: "running", ...common };
    case "interrupted":
      return {
        status: "interrupted",
        ...common,
        reason: command.reason ?? "unknown",
        message:
          command.message ?? "The command did not end by itself, and nobody knows how it would have ended.",
      };
    case "exited":
    case "timed_out":
      return {
        status: command.state,
        ...common,
        exitCode: command.exitCode,
        signal: command.signal,
        durationMs: command.durationMs ?? 0,
        ...(command.reason === null ? {} : { reason: command.reason }),
        ...(command.message === null ? {} : { message: command.message }),
      };
  }
}

async function textOf(
  deps: WorkspaceDeps,
  command: CommandRecord,
  stream: OutputStream,
): Promise<OutputText> {
  const [totalBytes, keptBytes, storedTail] =
    stream === "stdout"
      ? [command.stdoutBytes, command.stdoutKeptBytes, command.stdoutTail]
      : [command.stderrBytes, command.stderrKeptBytes, command.stderrTail];
  const read = (offset: number): Promise<Uint8Array> =>
    deps.stores.commands.readOutput(command.id, { stream, offset, limit: shownBytes });
  const kept = await read(0);
  const isKeptWhole = keptBytes >= totalBytes;
  const tail = isKeptWhole && totalBytes > shownBytes ? await read(totalBytes - shownBytes) : storedTail;
  return headAndTail({ kept, tail, totalBytes });
}

/** Refusals stand in the Run's log, where a reviewer sees what was tried. */
async function recordRejection(
  { deps }: Tools,
  caller: Caller,
  input: StartInput,
  rejection: CommandRejection,
): Promise<Extract<CommandResult, { status: "rejected" }>> {
  const run = await deps.stores.runs.find(input.runId, runScopeOf(caller));
  if (run === null) throw new DomainError("run.not_found", "There is no such run.");
  if (isEnded(run.state))
    throw new DomainError("run.ended", `This Run has ended as ${run.state}.`, { state: run.state });
  const { reason, message, allowed } = rejection;
  await deps.transaction((tx) =>
    deps.storesIn(tx).runs.appendEvent(run.id, {
      kind: "refused",
      at: deps.clock.now(),
      data: { command: input.command.slice(0, 1_000), reason, message },
    }),
  );
  return { status: "rejected", reason, message, allowed: [...allowed] };
}

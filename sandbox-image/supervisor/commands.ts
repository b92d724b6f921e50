import { statSync } from "node:fs";
import type { Clock } from "../../server/platform/clock";
import { DomainError } from "../../server/platform/errors";
import type { CommandEnd, CommandSpec } from "../../server/sandboxd/types";
import { followProcess, type Command, type EndCause } from "./command";
import { createKeptFile } from "./kept-file";
import { createKeptOutput, type KeptOutput } from "./kept-output";
import type { KillScope } from "./kill-set";
import type { EndProcesses } from "./process-ender";
import type { Runs } from "./runs";
import { isRefusedName } from "./settings";
import { spawnAs, SpawnExhaustedError, type ExitStatus, type SpawnedCommand } from "./spawn-as";

const keptBytesMax = 16 * 1024 * 1024;
const tailBytesMax = 32 * 1024;
const liveMax = 64;
const finishedMax = 200;
const finishedBytesMax = 512 * 1024 * 1024;

/** Every command of the container, live or finished, by its id. */
export interface Commands {
  /** Answers once the process exists. The same id again answers the same and starts nothing. */
  start(spec: CommandSpec): Promise<void>;
  find(commandId: string): Command | null;
  live(): Command[];
  /** Ends every command of the uid, and with the last of them everything of the uid. */
  interruptUid(uid: number, cause: EndCause): Promise<void>;
}

export interface CommandsDeps {
  clock: Clock;
  runs: Runs;
  endProcesses: EndProcesses;
  baseEnv: Readonly<Record<string, string>>;
  /** Root's own, on the disk. */
  keptDirectory: string;
  helperPid: (uid: number) => number | null;
  /** Called at a start; what it returns is asked at the end. */
  watchMemory: () => (exit: ExitStatus) => Pick<CommandEnd, "reason" | "message">;
  /** Makes room when the container has no process left; false when `forUid` itself holds most. */
  relieve: (forUid: number) => Promise<boolean>;
}

export function createCommands(deps: CommandsDeps): Commands {
  const commands = new Map<string, Command>();
  const starting = new Map<string, { uid: number; started: Promise<void> }>();

  const live = (): Command[] => [...commands.values()].filter((command) => command.end === null);

  function scope(self: { id: string; uid: number }, session: number, isMainAlive: boolean): KillScope {
    const others = [...live(), ...[...starting].map(([id, { uid }]) => ({ id, uid }))];
    const hasOther = others.some((other) => other.uid === self.uid && other.id !== self.id);
    return {
      uid: self.uid,
      session,
      isMainAlive,
      isWholeUid: !hasOther,
      sparedPid: deps.helperPid(self.uid),
    };
  }

  async function startNew(spec: CommandSpec): Promise<void> {
    const run = deps.runs.get(spec.uid);
    checkSpec(spec);
    if (live().length >= liveMax) throw new DomainError("limit.rate", "Too many commands run at once.");
    const env = { ...deps.baseEnv, ...spec.env, HOME: run.home, TMPDIR: run.tmp, USER: run.user };
    const process = await spawnWithRelief(deps, { uid: spec.uid, argv: spec.argv, cwd: spec.cwd, env });
    const command = followProcess({
      id: spec.commandId,
      uid: spec.uid,
      process,
      stdout: keep(deps.keptDirectory, spec.commandId, "stdout"),
      stderr: keep(deps.keptDirectory, spec.commandId, "stderr"),
      timeoutMs: spec.timeoutMs,
      clock: deps.clock,
      endProcesses: deps.endProcesses,
      scope: (session, isMainAlive) => scope({ id: spec.commandId, uid: spec.uid }, session, isMainAlive),
      explain: deps.watchMemory(),
    });
    commands.set(spec.commandId, command);
    void command.ended.then(() => forgetOldest(commands));
  }

  return {
    start: async (spec) => {
      if (commands.has(spec.commandId)) return;
      let start = starting.get(spec.commandId);
      if (start === undefined) {
        start = { uid: spec.uid, started: startNew(spec).finally(() => starting.delete(spec.commandId)) };
        starting.set(spec.commandId, start);
      }
      await start.started;
    },
    find: (commandId) => commands.get(commandId) ?? null,
    live,
    interruptUid: async (uid, cause) => {
      const ends = live().filter((command) => command.uid === uid);
      await Promise.all(ends.map((command) => command.interrupt(cause)));
    },
  };
}

/** Forgets finished ones, oldest end first, until no more than the bounds are kept. */
function forgetOldest(commands: Map<string, Command>): void {
  const finished = [...commands.values()].filter((command) => command.end !== null);
  let keptBytes = finished.reduce((sum, command) => sum + keptBytesOf(command), 0);
  let count = finished.length;
  for (const command of finished) {
    if (count <= finishedMax && keptBytes <= finishedBytesMax) return;
    commands.delete(command.id);
    command.forget();
    keptBytes -= keptBytesOf(command);
    count -= 1;
  }
}

function keptBytesOf(command: Command): number {
  return command.stdout.keptBytes + command.stderr.keptBytes;
}

function keep(directory: string, commandId: string, stream: string): KeptOutput {
  return createKeptOutput(createKeptFile(`${directory}/${commandId}.${stream}`), keptBytesMax, tailBytesMax);
}

async function spawnWithRelief(
  deps: CommandsDeps,
  input: Parameters<typeof spawnAs>[0],
): Promise<SpawnedCommand> {
  try {
    return await spawnAs(input);
  } catch (error) {
    if (!(error instanceof SpawnExhaustedError)) throw error;
    const isRelieved = await deps.relieve(input.uid);
    try {
      if (isRelieved && deps.runs.get(input.uid)) return await spawnAs(input);
    } catch (again) {
      if (!(again instanceof SpawnExhaustedError)) throw again;
    }
    throw new DomainError(
      "limit.rate",
      "The Sandbox has no process left for this command. Ask again.",
      {},
      { cause: error },
    );
  }
}

function checkSpec(spec: CommandSpec): void {
  const texts = [...spec.argv, ...Object.values(spec.env), spec.cwd];
  if (spec.argv.length === 0 || spec.argv[0] === "" || texts.some((text) => text.includes("\0"))) {
    throw new DomainError("input.invalid", "A command is one or more words without a NUL.");
  }
  const refused = Object.keys(spec.env).find(isRefusedName);
  if (refused !== undefined) {
    throw new DomainError("input.invalid", "This environment variable cannot be set for a command.", {
      name: refused,
    });
  }
  if (!spec.cwd.startsWith("/") || !isDirectory(spec.cwd)) {
    throw new DomainError("file.not_found", "The working directory is not there.");
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

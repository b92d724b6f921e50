import { randomUUID } from "node:crypto";
import type { Supervisor } from "../sandboxd/supervisor";
import type { CommandEnd, FileTarget, OutputChunk, RunUid } from "../sandboxd/types";

export interface TestRun {
  uid: RunUid;
  directory: string;
  home: string;
  tmp: string;
  at(path: string): FileTarget;
  /** Starts a command and gives its id. */
  start(argv: readonly string[], options?: TestCommandOptions): Promise<string>;
  /** Follows to the end from byte 0. Output beyond `textBytesMax` is counted only. */
  follow(commandId: string): Promise<TestCommandResult>;
  exec(argv: readonly string[], options?: TestCommandOptions): Promise<TestCommandResult>;
  /** `exec` of a shell script; for what a test needs to happen inside. */
  shell(script: string, options?: TestCommandOptions): Promise<TestCommandResult>;
  /** Runs a TypeScript program inside. */
  program(source: string, options?: TestCommandOptions): Promise<TestCommandResult>;
  writeText(path: string, text: string): Promise<void>;
  readText(path: string): Promise<string>;
}

export interface TestCommandOptions {
  timeoutMs?: number;
  env?: Record<string, string>;
  cwd?: string;
}

export interface TestCommandResult {
  end: CommandEnd;
  stdout: string;
  stderr: string;
  /** Bytes that reached the follower. */
  receivedBytes: number;
}

const textBytesMax = 1024 * 1024;
let lastUid = 10_000;

/** Prepares a Run of its own in a Sandbox, with a uid that no other test used. */
export async function prepareTestRun(supervisor: Supervisor): Promise<TestRun> {
  const uid = (lastUid += 1) as RunUid;
  const directory = `/workspace/${randomUUID()}`;
  const { home, tmp } = await supervisor.prepareRun({ uid, directory });
  const at = (path: string): FileTarget => ({ uid, root: directory, path });

  const run: TestRun = {
    uid,
    directory,
    home,
    tmp,
    at,
    start: async (argv, { timeoutMs = 60_000, env = {}, cwd = directory } = {}) => {
      const commandId = randomUUID();
      await supervisor.startCommand({ commandId, uid, argv, cwd, env, timeoutMs });
      return commandId;
    },
    follow: (commandId) => followTestCommand(supervisor, commandId),
    exec: async (argv, options) => run.follow(await run.start(argv, options)),
    shell: (script, options) => run.exec(["sh", "-c", script], options),
    program: (source, options) => run.exec(["bun", "-e", source], options),
    writeText: async (path, text) => {
      await supervisor.writeFile({ ...at(path), bytes: Buffer.from(text), mode: null });
    },
    readText: async (path) => {
      const { bytes } = await supervisor.readFile({ ...at(path), bytesMax: textBytesMax });
      return Buffer.from(bytes).toString("utf8");
    },
  };
  return run;
}

export async function followTestCommand(
  supervisor: Supervisor,
  commandId: string,
): Promise<TestCommandResult> {
  const pieces: Record<OutputChunk["stream"], Uint8Array[]> = { stdout: [], stderr: [] };
  const next = { stdout: 0, stderr: 0 };
  const end = await supervisor.followCommand(
    { commandId, stdoutOffset: 0, stderrOffset: 0 },
    ({ stream, offset, bytes }) => {
      if (offset !== next[stream])
        throw new Error(`${stream} came from ${offset} where ${next[stream]} was next`);
      next[stream] += bytes.length;
      if (next[stream] <= textBytesMax) pieces[stream].push(bytes);
    },
  );
  const text = (stream: OutputChunk["stream"]): string => Buffer.concat(pieces[stream]).toString("utf8");
  return { end, stdout: text("stdout"), stderr: text("stderr"), receivedBytes: next.stdout + next.stderr };
}

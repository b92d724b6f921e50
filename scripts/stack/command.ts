import { spawn, type ChildProcess } from "node:child_process";

export interface CommandResult {
  exitCode: number;
  /** Everything it wrote to standard output. */
  stdout: string;
  /** The last lines of both streams, for a sentence about what went wrong. */
  lastLines: string;
}

interface CommandOptions {
  cwd?: string;
  /** The whole environment of the command; by default ours. */
  env?: Readonly<Record<string, string | undefined>>;
  uid?: number;
  gid?: number;
  /** Called with each line that it writes. */
  onLine?: (line: string) => void;
}

const running = new Set<ChildProcess>();

/**
 * Runs a program to its end, with no shell and no standard input, and answers whatever its exit code is. A program
 * that is not there answers 127. It does not outlive `stopRunningCommands`.
 */
export function runCommand(
  program: string,
  programArguments: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { onLine, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, {
      ...rest,
      env: (options.env ?? process.env) as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stdout: Buffer[] = [];
    const lines: string[] = [];
    const keep = (chunk: Buffer): void => {
      for (const line of chunk.toString("utf8").split(/[\r\n]+/)) {
        if (line.trim() === "") continue;
        lines.push(line);
        if (lines.length > 20) lines.shift();
        onLine?.(line);
      }
    };
    running.add(child);
    child.stdout.on("data", (chunk: Buffer) => {
      stdout.push(chunk);
      keep(chunk);
    });
    child.stderr.on("data", keep);
    const end = (exitCode: number): void => {
      running.delete(child);
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString("utf8"),
        lastLines: lines.slice(-3).join(" | "),
      });
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return end(127);
      running.delete(child);
      reject(error);
    });
    child.on("close", (code) => end(code ?? 1));
  });
}

/** Ends every program under way, so that an interrupted command leaves none behind. */
export function stopRunningCommands(): void {
  for (const child of running) child.kill("SIGTERM");
}

/** Says whether a program of this name can be run. */
export async function hasProgram(name: string): Promise<boolean> {
  const { exitCode } = await runCommand("sh", ["-c", 'command -v "$1" >/dev/null', "sh", name]);
  return exitCode === 0;
}

import { randomUUID } from "node:crypto";
import type { CommandEnd, CommandSpec, RunUid, SandboxId, Sandboxes } from "../sandboxd/types";

/** The uid of the one Run that a test has in a Sandbox. */
export const testUid = 10_000 as RunUid;
export const testDirectory = "/workspace/run";

/** A command of that Run, started in its directory. */
export function testCommand(argv: readonly string[], timeoutMs = 60_000): CommandSpec {
  return { commandId: randomUUID(), uid: testUid, argv, cwd: testDirectory, env: {}, timeoutMs };
}

/** Ensures the Sandbox, prepares the Run and runs a command in it; gives what it printed with its end. */
export async function runInSandbox(
  sandboxes: Sandboxes,
  sandboxId: SandboxId,
  argv: readonly string[],
): Promise<CommandEnd & { stdout: string; stderr: string }> {
  await sandboxes.prepareRun({ sandboxId, uid: testUid, directory: testDirectory });
  const texts = { stdout: "", stderr: "" };
  const end = await sandboxes.exec({ sandboxId, ...testCommand(argv) }, ({ stream, bytes }) => {
    texts[stream] += Buffer.from(bytes).toString("utf8");
  });
  return { ...end, ...texts };
}

/** Ensures a Sandbox that must come to be. */
export async function ensureLive(sandboxes: Sandboxes, sandboxId: SandboxId): Promise<{ runtimeId: string }> {
  const result = await sandboxes.ensure({ sandboxId });
  if (result.status !== "live" || result.sandbox.runtimeId === null)
    throw new Error(`not live: ${JSON.stringify(result)}`);
  return { runtimeId: result.sandbox.runtimeId };
}

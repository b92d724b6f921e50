import { describeError, DomainError } from "../platform/errors";
import { ContainerEndedError } from "./container-end";
import type { ContainerLink } from "./container-link";
import type { CommandEnd, CommandSpec, OutputChunk } from "./types";

/** How long a command without a way to its supervisor is waited for. */
const followPatienceMs = 60_000;

type OnOutput = (chunk: OutputChunk) => void | Promise<void>;

/**
 * Starts a command and follows it to its end. Starting again after a broken connection joins the first start, so a
 * command never runs twice in one container. When the container ends first, the answer is `interrupted`.
 */
export async function runCommand(
  link: ContainerLink,
  spec: CommandSpec,
  onOutput: OnOutput,
  signal: AbortSignal | undefined,
): Promise<CommandEnd> {
  try {
    await link.call((supervisor) => supervisor.startCommand(spec));
  } catch (error) {
    if (error instanceof ContainerEndedError)
      return interrupted(spec.commandId, "sandbox_gone", error.end.detail);
    throw error;
  }
  return followCommand(
    link,
    { commandId: spec.commandId, stdoutOffset: 0, stderrOffset: 0 },
    onOutput,
    signal,
  );
}

/** Follows a command; over a broken connection it goes on from the byte that `onOutput` has taken last. */
export async function followCommand(
  link: ContainerLink,
  from: { commandId: string; stdoutOffset: number; stderrOffset: number },
  onOutput: OnOutput,
  signal: AbortSignal | undefined,
): Promise<CommandEnd> {
  const reached = { ...from };
  const take = async (chunk: OutputChunk): Promise<void> => {
    await onOutput(chunk);
    reached[chunk.stream === "stdout" ? "stdoutOffset" : "stderrOffset"] = chunk.offset + chunk.bytes.length;
  };
  try {
    return await link.call((supervisor) => supervisor.followCommand({ ...reached }, take, signal), {
      patienceMs: followPatienceMs,
    });
  } catch (error) {
    if (error instanceof ContainerEndedError)
      return interrupted(from.commandId, "sandbox_gone", error.end.detail);
    if (error instanceof DomainError && error.code === "sandbox.engine_unavailable") {
      return interrupted(from.commandId, "connection_lost", describeError(error));
    }
    throw error;
  }
}

/** The answer when no wait status can be known any more. */
export function interrupted(
  commandId: string,
  reason: NonNullable<CommandEnd["reason"]>,
  message: string,
): CommandEnd {
  return {
    status: "interrupted",
    commandId,
    exitCode: null,
    signal: null,
    durationMs: 0,
    reason,
    message,
    stdoutBytes: 0,
    stderrBytes: 0,
    stdoutKeptBytes: 0,
    stderrKeptBytes: 0,
    stdoutTail: new Uint8Array(0),
    stderrTail: new Uint8Array(0),
  };
}

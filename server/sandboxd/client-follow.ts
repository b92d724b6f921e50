import { describeError, DomainError, fromErrorBody } from "../platform/errors";
import { asNoAnswer, NoAnswerError, type ClientTransport } from "./client-transport";
import { interrupted } from "./commands";
import { decodeCommandEnd, readWireFrames, type CommandFrameHead } from "./frames";
import type { CommandEnd, CommandSpec, OutputChunk, SandboxId } from "./types";

interface FollowInput {
  sandboxId: SandboxId;
  commandId: string;
  /** What is to be started; null for a command that was started before. */
  spec: CommandSpec | null;
  stdoutOffset: number;
  stderrOffset: number;
  onOutput: (chunk: OutputChunk) => void | Promise<void>;
  signal: AbortSignal | undefined;
}

/** How far a command has been followed, and in which container. */
interface Reached {
  stdoutOffset: number;
  stderrOffset: number;
  runtimeId: string | null;
}

/**
 * Starts or follows a command to its end, over as many connections as it takes; each byte is delivered once. Once it may
 * have started it never starts in another container: there it is `interrupted`.
 */
export async function followThrough(transport: ClientTransport, input: FollowInput): Promise<CommandEnd> {
  const { sandboxId, commandId, spec, stdoutOffset, stderrOffset, signal } = input;
  const reached: Reached = { stdoutOffset, stderrOffset, runtimeId: null };

  async function attempt(): Promise<CommandEnd> {
    // Without a byte of output it may or may not have started; starting it again in the same container joins it.
    const before = reached.stdoutOffset + reached.stderrOffset;
    const isStarting = spec !== null && before === 0;
    const body = isStarting
      ? { sandboxId, ...spec, ...(reached.runtimeId === null ? {} : { onlyIn: reached.runtimeId }) }
      : { sandboxId, commandId, stdoutOffset: reached.stdoutOffset, stderrOffset: reached.stderrOffset };
    const method = isStarting ? "exec" : "followCommand";
    const response = await transport.send(method, Buffer.from(JSON.stringify(body), "utf8"), signal);
    const fail = (cause: unknown): NoAnswerError => {
      const hasProgress = reached.stdoutOffset + reached.stderrOffset > before;
      return new NoAnswerError(describeError(cause), { cause, hasProgress });
    };
    try {
      const end = await readCommand(response as AsyncIterable<Buffer>, reached, input);
      if (end !== null) return end;
    } catch (error) {
      if (error instanceof ConsumerError) throw error.cause;
      if (error instanceof DomainError || error instanceof NoAnswerError || signal?.aborted === true)
        throw error;
      throw fail(error);
    }
    throw fail(new Error("The stream ended before the command did."));
  }

  try {
    return await transport.patiently(attempt, signal);
  } catch (error) {
    if (!(error instanceof DomainError) || reached.runtimeId === null) throw error;
    if (error.code === "sandbox.not_found") return interrupted(commandId, "sandbox_gone", error.message);
    if (error.code === "sandbox.engine_unavailable")
      return interrupted(commandId, "connection_lost", error.message);
    throw error;
  }
}

/** Null when the stream ends without the command's end. */
async function readCommand(
  pieces: AsyncIterable<Uint8Array>,
  reached: Reached,
  { commandId, onOutput }: FollowInput,
): Promise<CommandEnd | null> {
  for await (const { head, bytes } of readWireFrames(pieces)) {
    const frame = head as CommandFrameHead;
    switch (frame.type) {
      case "started":
        if (reached.runtimeId !== null && frame.runtimeId !== reached.runtimeId) {
          return interrupted(
            commandId,
            "sandbox_gone",
            "The sandbox was started anew while the command ran.",
          );
        }
        reached.runtimeId = frame.runtimeId;
        break;
      case "output":
        await deliver(frame, bytes, reached, onOutput);
        break;
      case "end":
        return decodeCommandEnd(frame, bytes);
      case "error":
        throw asNoAnswer(fromErrorBody(frame.error));
    }
  }
  return null;
}

async function deliver(
  { stream, offset }: CommandFrameHead & { type: "output" },
  bytes: Uint8Array,
  reached: Reached,
  onOutput: FollowInput["onOutput"],
): Promise<void> {
  const key = stream === "stdout" ? "stdoutOffset" : "stderrOffset";
  // A command that is started again is followed from its first byte; what came before is not given twice.
  const seenBytes = Math.max(0, Math.min(bytes.length, reached[key] - offset));
  const rest = bytes.subarray(seenBytes);
  if (rest.length === 0) return;
  try {
    await onOutput({ stream, offset: offset + seenBytes, bytes: rest });
  } catch (error) {
    throw new ConsumerError("the consumer failed", { cause: error });
  }
  reached[key] = offset + bytes.length;
}

/** What the consumer of the output threw; it is no fault of the connection. */
class ConsumerError extends Error {
  override readonly name = "ConsumerError";
}

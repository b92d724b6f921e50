import { describeError } from "../../platform/errors";
import type { CommandEnd } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { sandboxIdOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";
import { deniedText } from "./denied";
import type { CommandRecord } from "./store";

/** As many last bytes as a Sandbox keeps of a stream whose middle was dropped. */
const tailBytesMax = 32 * 1024;

/**
 * Writes a command's end, once, with what egress refused to it as the last lines of its stderr. What was refused is in
 * the same transaction as the end, so that no follower adds it twice.
 */
export async function recordEnd(deps: WorkspaceDeps, run: RunRecord, end: CommandEnd): Promise<void> {
  const note = await noteOn(deps, run, end);
  const now = deps.clock.now();
  await deps.transaction(async (tx) => {
    const { runs, commands } = deps.storesIn(tx);
    const { kept, end: noted } = note === null ? { kept: null, end } : addNote(note, end);
    if (kept !== null) {
      const piece = await commands.appendOutput(end.commandId, { stream: "stderr", ...kept });
      if (piece !== null) {
        const { offset, bytes } = piece;
        const data = { commandId: end.commandId, stream: "stderr", offset, byteCount: bytes.length };
        await runs.appendEvent(run.id, { kind: "output", at: now, data });
      }
    }
    if (!(await commands.end(end.commandId, noted, now))) return;
    await runs.move(run.id, ["open"], { lastActivityAt: now });
    const counted = await commands.find(run.id, end.commandId);
    await runs.appendEvent(run.id, {
      kind: "command",
      at: now,
      data: {
        commandId: end.commandId,
        status: end.status,
        exitCode: end.exitCode,
        signal: end.signal,
        reason: end.reason,
        message: end.message,
        durationMs: end.durationMs,
        stdoutBytes: counted?.stdoutBytes ?? noted.stdoutBytes,
        stderrBytes: counted?.stderrBytes ?? noted.stderrBytes,
      },
    });
  });
}

/** What is added to the stderr of a command, and how much of it was kept when that was decided. */
interface Note {
  bytes: Uint8Array;
  keptBytes: number;
}

/** Null when nothing was refused, when that could not be learned in time, or when no end of the process is known. */
async function noteOn(deps: WorkspaceDeps, run: RunRecord, end: CommandEnd): Promise<Note | null> {
  if (end.status === "interrupted") return null;
  try {
    const command = await deps.stores.commands.find(run.id, end.commandId);
    // Only bun commands reach out.
    if (command === null || command.state !== "running" || !command.isExclusive) return null;
    const refusals = await deps.refusals.ofRun({
      runId: run.id,
      sandboxId: sandboxIdOf(run.projectId),
      since: command.startedAt,
    });
    const text = refusals === null ? "" : deniedText(refusals);
    if (text === "") return null;
    const separator = (await endsInLine(deps, command, end)) ? "" : "\n";
    return { bytes: Buffer.from(separator + text), keptBytes: command.stderrKeptBytes };
  } catch (error) {
    deps.logger.warn(
      { runId: run.id, commandId: end.commandId, reason: describeError(error) },
      "what was refused to a command could not be added to its output",
    );
    return null;
  }
}

async function endsInLine(deps: WorkspaceDeps, command: CommandRecord, end: CommandEnd): Promise<boolean> {
  if (end.stderrBytes === 0) return true;
  const offset = command.stderrKeptBytes - 1;
  const last =
    end.stderrTail.length > 0
      ? end.stderrTail
      : await deps.stores.commands.readOutput(command.id, { stream: "stderr", offset, limit: 1 });
  return last.at(-1) === 0x0a;
}

/** A stream that was kept whole goes on; of one whose middle was dropped the last bytes are kept with its end. */
function addNote(
  { bytes, keptBytes }: Note,
  end: CommandEnd,
): { kept: { offset: number; bytes: Uint8Array } | null; end: CommandEnd } {
  if (keptBytes === end.stderrBytes) return { kept: { offset: keptBytes, bytes }, end };
  const tail = Buffer.concat([end.stderrTail, bytes]);
  return {
    kept: null,
    end: {
      ...end,
      stderrBytes: end.stderrBytes + bytes.length,
      stderrTail: tail.subarray(Math.max(0, tail.length - tailBytesMax)),
    },
  };
}

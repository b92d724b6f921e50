import { describeError, DomainError } from "../../platform/errors";
import type { CommandEnd, CommandSpec, OutputChunk, OutputStream } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { isSandboxGone, placeOf } from "../runs/rules";
import type { RunRecord } from "../runs/types";
import { withoutSplitEnd } from "../utf8-cut";
import { recordEnd } from "./record-end";

/** At most so many pieces a second and stream become events; what comes faster is put together. */
const piecesPerSecond = 10;
const pieceBytesMax = 256 * 1024;
/** Whoever has not said for so long that it follows a command is taken for dead. */
const leaseMs = 20_000;
const renewMs = 5_000;

/** Follows commands to their end and keeps what they write. One of them for each process of ours. */
export interface CommandFollower {
  /** Starts a command whose row is written, and follows it. Resolves with its end, or null when it was lost sight of. */
  start(run: RunRecord, spec: CommandSpec): Promise<CommandEnd | null>;
  /** Takes up a command that another process followed, unless that one is still at it. */
  adopt(run: RunRecord, commandId: string): Promise<void>;
  /** The end of a command that this process follows; undefined for one that it does not. */
  endOf(commandId: string): Promise<CommandEnd | null> | undefined;
  leaseUntil(): Date;
}

export function createCommandFollower(deps: WorkspaceDeps): CommandFollower {
  const followed = new Map<string, Promise<CommandEnd | null>>();
  const leaseUntil = (): Date => new Date(deps.clock.now().getTime() + leaseMs);

  const track = (commandId: string, work: Promise<CommandEnd | null>): Promise<CommandEnd | null> => {
    const tracked = work.finally(() => followed.delete(commandId));
    tracked.catch(() => undefined);
    followed.set(commandId, tracked);
    return tracked;
  };

  const follow = async (
    run: RunRecord,
    commandId: string,
    call: (onOutput: (chunk: OutputChunk) => Promise<void>) => Promise<CommandEnd>,
  ): Promise<CommandEnd | null> => {
    const recorder = createOutputRecorder(deps, run.id, commandId);
    const stopRenewing = deps.clock.every(renewMs, async () => {
      try {
        await deps.stores.commands.keepFollowing(commandId, leaseUntil());
      } catch (error) {
        deps.logger.warn(
          { commandId, reason: describeError(error) },
          "a follower could not say that it lives",
        );
      }
    });
    try {
      const end = await followToEnd(commandId, () => call((chunk) => recorder.add(chunk)));
      // Nobody can be asked any more, yet the command may go on: the sweep takes it up again, from the last whole piece.
      if (end === null) return null;
      await recorder.flush();
      await recordEnd(deps, run, end);
      return end;
    } finally {
      stopRenewing();
      recorder.close();
    }
  };

  return {
    leaseUntil,
    endOf: (commandId) => followed.get(commandId),
    start: (run, spec) => {
      const { sandboxId } = placeOf(run);
      return track(
        spec.commandId,
        follow(run, spec.commandId, (onOutput) => deps.sandboxes.exec({ sandboxId, ...spec }, onOutput)),
      );
    },
    adopt: async (run, commandId) => {
      if (followed.has(commandId)) return;
      if (!(await deps.stores.commands.claim(commandId, deps.clock.now(), leaseUntil()))) return;
      const known = await deps.stores.commands.find(run.id, commandId);
      if (known === null) return;
      const { sandboxId } = placeOf(run);
      track(
        commandId,
        follow(run, commandId, (onOutput) =>
          deps.sandboxes.followCommand(
            {
              sandboxId,
              commandId,
              stdoutOffset: known.stdoutKeptBytes,
              stderrOffset: known.stderrKeptBytes,
            },
            onOutput,
          ),
        ),
      ).catch((error: unknown) => {
        deps.logger.warn(
          { runId: run.id, commandId, reason: describeError(error) },
          "a command could not be followed",
        );
      });
    },
  };
}

/**
 * The command's end. What sandboxd refuses, or says of a Sandbox that is gone, is an end as well, for it will never say
 * anything else; null when nobody could be asked.
 */
async function followToEnd(commandId: string, call: () => Promise<CommandEnd>): Promise<CommandEnd | null> {
  try {
    const end = await call();
    return end.reason === "connection_lost" ? null : end;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "sandbox.engine_unavailable") return null;
    return {
      status: "interrupted",
      commandId,
      exitCode: null,
      signal: null,
      durationMs: 0,
      reason: isSandboxGone(error) ? "sandbox_gone" : null,
      message: error.message,
      stdoutBytes: 0,
      stderrBytes: 0,
      stdoutKeptBytes: 0,
      stderrKeptBytes: 0,
      stdoutTail: new Uint8Array(0),
      stderrTail: new Uint8Array(0),
    };
  }
}

interface OutputRecorder {
  add(chunk: OutputChunk): Promise<void>;
  /** Writes what is left, and fails when any of the output could not be written. */
  flush(): Promise<void>;
  /** Writes nothing from now on. */
  close(): void;
}

/**
 * Keeps output as it comes, in pieces that end between two characters, so that each can be shown by itself. The first
 * piece is kept at once; after that a stream is written some times a second.
 */
function createOutputRecorder(deps: WorkspaceDeps, runId: string, commandId: string): OutputRecorder {
  const pending: Record<OutputStream, { offset: number; bytes: Uint8Array; writtenMs: number }> = {
    stdout: { offset: 0, bytes: new Uint8Array(0), writtenMs: Number.NEGATIVE_INFINITY },
    stderr: { offset: 0, bytes: new Uint8Array(0), writtenMs: Number.NEGATIVE_INFINITY },
  };
  let queue: Promise<void> = Promise.resolve();
  let isBroken = false;

  const write = async (stream: OutputStream, isLast: boolean): Promise<void> => {
    const state = pending[stream];
    const whole = isLast ? state.bytes : withoutSplitEnd(state.bytes);
    if (whole.length === 0) return;
    const { offset } = state;
    state.offset += whole.length;
    state.bytes = state.bytes.slice(whole.length);
    state.writtenMs = deps.clock.monotonicMs();
    await deps.transaction(async (tx) => {
      const { runs, commands } = deps.storesIn(tx);
      const kept = await commands.appendOutput(commandId, { stream, offset, bytes: whole });
      if (kept === null) return;
      await runs.appendEvent(runId, {
        kind: "output",
        at: deps.clock.now(),
        data: { commandId, stream, offset: kept.offset, byteCount: kept.bytes.length },
      });
    });
  };

  /** After a fault nothing more is written: what is missing comes again to whoever follows the command next. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = queue.then(async () => {
      if (isBroken) throw new Error("The output could not be kept.");
      try {
        await work();
      } catch (error) {
        isBroken = true;
        throw error;
      }
    });
    queue = next.catch(() => undefined);
    return next;
  };

  const stopTicking = deps.clock.every(1000 / piecesPerSecond, async () => {
    try {
      await inTurn(async () => {
        for (const stream of ["stdout", "stderr"] as const) {
          if (pending[stream].bytes.length > 0) await write(stream, false);
        }
      });
    } catch (error) {
      stopTicking();
      deps.logger.warn({ runId, commandId, reason: describeError(error) }, "output could not be kept");
    }
  });

  return {
    add: ({ stream, offset, bytes }) =>
      inTurn(async () => {
        const state = pending[stream];
        if (state.bytes.length === 0) state.offset = offset;
        state.bytes = Buffer.concat([state.bytes, bytes]);
        const isQuiet = deps.clock.monotonicMs() - state.writtenMs > 1000 / piecesPerSecond;
        if (isQuiet || state.bytes.length >= pieceBytesMax) await write(stream, false);
      }),
    flush: async () => {
      stopTicking();
      await inTurn(async () => {
        await write("stdout", true);
        await write("stderr", true);
      });
    },
    close: () => {
      stopTicking();
      isBroken = true;
    },
  };
}

import { chunkBytes, encodeOutput, followWindowBytes } from "../../server/sandboxd/supervisor-protocol";
import type { CommandEnd, OutputStream } from "../../server/sandboxd/types";
import type { Command } from "./command";

/** Sends one follower what is kept of a command, as far ahead as it gives credit for. */
export interface Follower {
  credit(byteCount: number): void;
  stop(): void;
  /** Resolves with the end once everything kept has been sent; null when stopped. */
  readonly done: Promise<CommandEnd | null>;
}

/**
 * Reads from what is kept, never from the command itself: a follower that is slow or gone holds up nothing, and one that
 * comes late gets the same bytes.
 */
export function followCommand(
  command: Command,
  input: { requestId: number; stdoutOffset: number; stderrOffset: number },
  send: (frame: Uint8Array) => void,
): Follower {
  const offsets: Record<OutputStream, number> = { stdout: input.stdoutOffset, stderr: input.stderrOffset };
  let windowBytes = followWindowBytes;
  let isStopped = false;
  let isScheduled = false;
  let finish = (_end: CommandEnd | null): void => {};
  const done = new Promise<CommandEnd | null>((resolve) => (finish = resolve));

  function sendOne(stream: OutputStream): boolean {
    const available = command[stream].keptBytes - offsets[stream];
    const byteCount = Math.min(chunkBytes, windowBytes, available);
    if (byteCount <= 0) return false;
    const frame = encodeOutput(input.requestId, stream, offsets[stream], byteCount, (target) =>
      command[stream].read(offsets[stream], target),
    );
    if (frame === null) return false;
    send(frame);
    const sent = Math.min(byteCount, available);
    offsets[stream] += sent;
    windowBytes -= sent;
    return true;
  }

  function isComplete(): boolean {
    return offsets.stdout >= command.stdout.keptBytes && offsets.stderr >= command.stderr.keptBytes;
  }

  function step(): void {
    isScheduled = false;
    if (isStopped) return;
    const hasSent = [sendOne("stdout"), sendOne("stderr")].some(Boolean);
    if (command.end !== null && isComplete()) return settle(command.end);
    if (hasSent) schedule();
  }

  /** One round a turn of the loop, so that reading from the command's pipes goes on in between. */
  function schedule(): void {
    if (isScheduled || isStopped) return;
    isScheduled = true;
    setImmediate(step);
  }

  function settle(end: CommandEnd | null): void {
    isStopped = true;
    unsubscribe();
    finish(end);
  }

  const unsubscribe = command.onChange(schedule);
  schedule();
  return {
    done,
    credit: (byteCount) => {
      windowBytes = Math.min(followWindowBytes, windowBytes + byteCount);
      schedule();
    },
    stop: () => {
      if (!isStopped) settle(null);
    },
  };
}

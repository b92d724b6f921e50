import { connect as connectTcp, type Socket } from "node:net";
import type { Clock } from "../platform/clock";
import type { FailureReason } from "./types";

/** Opens a socket to an address, never to a name. Both its outcome and its errors come as events. */
export type ConnectTo = (address: string, port: number) => Socket;

/** The real one. The address is a literal, so nothing is looked up a second time. */
export const connectByTcp: ConnectTo = (address, port) => connectTcp({ host: address, port, noDelay: true });

export type DialResult = { ok: true; socket: Socket; address: string } | { ok: false; reason: FailureReason };

/**
 * Tries the addresses one after the other, each for at most `timeoutMs`, and gives the first that answers. When none does,
 * or the signal aborts, every socket that was opened is destroyed.
 */
export async function dialFirst(input: {
  addresses: readonly string[];
  port: number;
  timeoutMs: number;
  connect: ConnectTo;
  clock: Clock;
  signal: AbortSignal;
}): Promise<DialResult> {
  let reason: FailureReason = "connect_failed";
  for (const address of input.addresses) {
    if (input.signal.aborted) break;
    const socket = input.connect(address, input.port);
    const outcome = await settle(socket, input);
    if (outcome === "connected") return { ok: true, socket, address };
    socket.destroy();
    reason = outcome;
  }
  return { ok: false, reason };
}

async function settle(
  socket: Socket,
  input: { timeoutMs: number; clock: Clock; signal: AbortSignal },
): Promise<"connected" | FailureReason> {
  const done = new AbortController();
  const abort = (): void => done.abort();
  input.signal.addEventListener("abort", abort, { once: true });
  const timer = input.clock.sleep(input.timeoutMs, done.signal).then(
    () => "connect_timed_out" as const,
    () => "connect_failed" as const,
  );
  const event = new Promise<"connected" | FailureReason>((resolve) => {
    socket.once("connect", () => resolve("connected"));
    socket.on("error", () => resolve("connect_failed"));
    socket.once("close", () => resolve("connect_failed"));
  });
  const outcome = await Promise.race([event, timer]);
  input.signal.removeEventListener("abort", abort);
  done.abort();
  return outcome;
}

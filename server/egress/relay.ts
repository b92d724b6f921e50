import type { Socket } from "node:net";
import type { Connection } from "./connections";

/**
 * How long a client may take to read the rest once the upstream has ended, and how long anything may stay once the
 * client has. Neither runtime of ours keeps half of a connection open in the same way, and bun reports a reset as an
 * ordinary end and never fails what is still to be written, so a connection is over when it is over for one side.
 */
const drainMs = 120_000;
const goneMs = 2_000;

/**
 * Passes bytes one way until the source ends, reading no faster than the other side takes them, then ends the other side.
 * What was read is written before the end is.
 */
export function passOn(input: {
  connection: Connection;
  from: Socket;
  to: Socket;
  onBytes: (count: number) => void;
}): void {
  const { connection, from, to } = input;
  from.on("data", (piece: Buffer) => {
    connection.touch();
    input.onBytes(piece.length);
    if (to.writable && !to.write(piece)) from.pause();
  });
  to.on("drain", () => {
    connection.touch();
    from.resume();
  });
  endTogether(connection, from, to);
  from.resume();
}

/** Ends `to` when `from` has ended or closed, and the whole connection a bounded time after that. */
export function endTogether(connection: Connection, from: Socket, to: Socket): void {
  const finish = (): void => {
    if (connection.ended.aborted) return;
    const isClientGone = from === connection.client;
    connection.finishWithin(isClientGone ? goneMs : drainMs);
    if (!isClientGone) to.once("finish", () => connection.finishWithin(goneMs));
    to.end();
  };
  from.once("end", finish);
  from.once("close", finish);
}

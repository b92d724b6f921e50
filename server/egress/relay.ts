import type { Socket } from "node:net";
import type { Connection } from "./connections";

/**
 * How long the rest may take to drain once one side has ended. Neither runtime of ours keeps half of a connection open
 * in the same way, so a tunnel is over for both when it is over for one.
 */
const drainMs = 30_000;

/**
 * Passes bytes one way until the source ends, reading no faster than the other side takes them, then ends the other side.
 * What was read is written before the end is; whatever is still open after `drainMs` is destroyed.
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
    connection.limit(drainMs, () => connection.end());
    to.end();
  };
  from.once("end", finish);
  from.once("close", () => {
    finish();
    // Nobody is left to read what an upstream still has to say.
    if (from !== connection.client) return;
    if (to.writableFinished) to.destroy();
    else to.once("finish", () => to.destroy());
  });
}

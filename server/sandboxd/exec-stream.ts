import { Duplex } from "node:stream";

const headerBytes = 8;
const stdoutKind = 1;

/**
 * Turns the engine's multiplexed exec connection into a plain byte stream: standard output is what is read, what is
 * written goes to standard input, and standard error is handed to `onStderr`. Ending it closes standard input only.
 * Back-pressure holds in both directions. Source: Engine API 1.41, "Stream format" of attach.
 */
export function createExecStream(connection: Duplex, onStderr: (text: string) => void): Duplex {
  let header = Buffer.alloc(0);
  let kind = stdoutKind;
  let remaining = 0;

  const stream = new Duplex({
    read: () => void connection.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (connection.write(chunk)) done();
      else connection.once("drain", () => done());
    },
    final: (done) => {
      connection.end();
      done();
    },
    destroy: (error, done) => {
      connection.destroy();
      done(error);
    },
  });

  connection.on("data", (piece: Buffer) => {
    let rest = piece;
    let hasRoom = true;
    while (rest.length > 0) {
      if (remaining === 0) {
        const needed = headerBytes - header.length;
        header = Buffer.concat([header, rest.subarray(0, needed)]);
        rest = rest.subarray(needed);
        if (header.length < headerBytes) break;
        kind = header[0] ?? 0;
        remaining = header.readUInt32BE(4);
        header = Buffer.alloc(0);
        continue;
      }
      const payload = rest.subarray(0, remaining);
      rest = rest.subarray(payload.length);
      remaining -= payload.length;
      if (kind === stdoutKind) hasRoom = stream.push(payload);
      else onStderr(payload.toString("utf8"));
    }
    if (!hasRoom) connection.pause();
  });
  connection.on("end", () => stream.push(null));
  connection.on("error", (error) => stream.destroy(error));
  connection.on("close", () => stream.destroy());
  return stream;
}

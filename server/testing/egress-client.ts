import { connect, type Socket } from "node:net";

/** A raw client of the proxy: it sends exactly the bytes it is told to, well-formed or not. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything received so far, latin1. */
  received(): string;
  send(text: string | Buffer): void;
  /** Resolves when what was received fits; rejects when the connection ends before. */
  waitFor(pattern: RegExp): Promise<string>;
  /** Resolves with everything received once the connection is closed. */
  untilClosed(): Promise<string>;
  destroy(): void;
}

export async function createRawClient(port: number, host = "127.0.0.1"): Promise<RawClient> {
  const socket = connect({ port, host });
  const pieces: Buffer[] = [];
  const watchers = new Set<() => void>();
  let isClosed = false;
  const wake = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  socket.on("data", (piece) => {
    pieces.push(piece);
    wake();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    isClosed = true;
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  const received = (): string => Buffer.concat(pieces).toString("latin1");
  const until = (isDone: () => boolean, what: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const watcher = (): void => {
        if (!isDone() && !isClosed) return;
        watchers.delete(watcher);
        if (isDone()) resolve(received());
        else reject(new Error(`closed before ${what}; received: ${received().slice(0, 500)}`));
      };
      watchers.add(watcher);
      watcher();
    });

  return {
    socket,
    received,
    send: (text) => void socket.write(text),
    waitFor: (pattern) => until(() => pattern.test(received()), String(pattern)),
    untilClosed: () => until(() => isClosed, "the end"),
    destroy: () => void socket.destroy(),
  };
}

/** Sends one request and gives everything that came back until the proxy closed. */
export async function askRaw(port: number, request: string | Buffer, host?: string): Promise<string> {
  const client = await createRawClient(port, host);
  client.send(request);
  return client.untilClosed();
}

/** A client whose CONNECT has been answered 200. What it receives from then on starts after that answer's head. */
export async function openTunnel(port: number, target: string, host?: string): Promise<RawClient> {
  const client = await createRawClient(port, host);
  client.send(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  await client.waitFor(/^HTTP\/1\.1 200 [^\r]*\r\n\r\n/);
  return client;
}

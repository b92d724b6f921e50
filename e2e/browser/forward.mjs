import { connect, createServer } from "node:net";
import { pathToFileURL } from "node:url";

/**
 * Answers a server that hands every connection on to `target`, a port of this machine or the path of a socket.
 * Either side's end ends the other.
 */
export function createForwarder(target) {
  return createServer((incoming) => {
    const outgoing = connect(typeof target === "number" ? { port: target, host: "localhost" } : target);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on("error", () => outgoing.destroy()).on("close", () => outgoing.destroy());
    outgoing.on("error", () => incoming.destroy()).on("close", () => incoming.destroy());
  });
}

/** Beside the browser: what asks for the port is sent through the socket, until the browser is gone. */
function main(port, socketPath) {
  const browser = process.ppid;
  createForwarder(socketPath).listen(Number(port), "localhost");
  setInterval(() => {
    if (process.ppid !== browser) process.exit();
  }, 500);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2], process.argv[3]);

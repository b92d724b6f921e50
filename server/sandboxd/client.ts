import type { Clock } from "../platform/clock";
import { followThrough } from "./client-follow";
import { createClientTransport, NoAnswerError, readJson } from "./client-transport";
import { encodeWireFrame, readWireFrames } from "./frames";
import type { SandboxMethod } from "./schema";
import type { FileContent, Sandboxes } from "./types";

/** How long sandboxd may be away before a call or a followed command is given up. */
const patienceMsDefault = 30_000;

/**
 * The port `Sandboxes` over sandboxd's unix socket. While sandboxd is away, calls wait for it up to 30 s, then
 * `sandbox.engine_unavailable`; a followed command goes on from the byte reached, and when its end cannot be learned the
 * answer is `interrupted`, never an exit code.
 */
export function createSandboxdClient(deps: {
  socketPath: string;
  clock: Clock;
  patienceMs?: number;
}): Sandboxes {
  const transport = createClientTransport({ ...deps, patienceMs: deps.patienceMs ?? patienceMsDefault });

  function call<Value>(method: SandboxMethod, input: object): Promise<Value> {
    const body = Buffer.from(JSON.stringify(input), "utf8");
    return transport.patiently(async () => (await readJson(await transport.send(method, body))) as Value);
  }

  return {
    ensure: (input) => call("ensure", input),
    find: (sandboxId) => call("find", { sandboxId }),
    list: () => call("list", {}),
    touch: async (input) => void (await call("touch", input)),
    remove: async (input) => void (await call("remove", input)),
    prepareRun: (input) => call("prepareRun", input),
    removeRun: async (input) => void (await call("removeRun", input)),
    exec: ({ sandboxId, ...spec }, onOutput = () => undefined, signal) =>
      followThrough(transport, {
        sandboxId,
        commandId: spec.commandId,
        spec,
        stdoutOffset: 0,
        stderrOffset: 0,
        onOutput,
        signal,
      }),
    followCommand: ({ stdoutOffset = 0, stderrOffset = 0, ...input }, onOutput = () => undefined, signal) =>
      followThrough(transport, { ...input, spec: null, stdoutOffset, stderrOffset, onOutput, signal }),
    stopCommand: async (input) => void (await call("stopCommand", input)),
    readFile: (input) => {
      const body = Buffer.from(JSON.stringify(input), "utf8");
      return transport.patiently(async () => {
        const response = await transport.send("readFile", body);
        for await (const { head, bytes } of readWireFrames(response as AsyncIterable<Buffer>)) {
          return { ...(head as Omit<FileContent, "bytes">), bytes };
        }
        throw new NoAnswerError("The answer has no content.");
      });
    },
    writeFile: ({ bytes, ...input }) => {
      const body = encodeWireFrame({ head: input, bytes });
      return transport.patiently(async () => {
        return (await readJson(await transport.send("writeFile", body))) as {
          created: boolean;
          mode: string;
        };
      });
    },
    listFiles: (input) => call("listFiles", input),
    deleteFile: (input) => call("deleteFile", input),
  };
}

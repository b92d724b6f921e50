import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../server/platform/clock";
import {
  attachmentBytesMax,
  createFrameReader,
  decodeJson,
  encodeAttachment,
  encodeJsonFrame,
  frameKind,
  ProtocolError,
  type Frame,
} from "../../server/sandboxd/supervisor-protocol";
import type { FileMethod } from "./helper-answers";
import { parseHelperFailure } from "./helper-answers";
import { commandLineAs, started } from "./spawn-as";

/** The helper died, hung or said what no helper says; a new one can be asked. */
export class HelperLostError extends Error {
  override readonly name = "HelperLostError";
}

export interface RawAnswer {
  value: unknown;
  bytes: Uint8Array;
}

/** One helper process. It takes one request at a time. */
export interface FileHelper {
  readonly pid: number;
  readonly isAlive: boolean;
  /** Errors: `HelperLostError`, after which the process is gone; a DomainError that the helper answered. */
  request(method: FileMethod, params: unknown, bytes: Uint8Array, waitMs: number): Promise<RawAnswer>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a helper with the Run's uid. Errors: `SpawnExhaustedError`. */
export async function startFileHelper(input: {
  uid: number;
  program: readonly string[];
  clock: Clock;
}): Promise<FileHelper> {
  const [file, ...args] = commandLineAs(input.uid, input.program);
  const { child, pid, exited } = await started((): Child =>
    spawn(file, args, {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" } as unknown as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    }),
  );
  let waiting: { resolve: (answer: RawAnswer) => void; reject: (error: Error) => void } | null = null;
  let isAlive = true;
  let attachment: Uint8Array[] = [];
  let attachmentBytes = 0;
  const reader = createFrameReader();

  function lose(why: string): void {
    isAlive = false;
    child.kill("SIGKILL");
    waiting?.reject(new HelperLostError(why));
    waiting = null;
  }

  function receive({ kind, requestId, payload }: Frame): void {
    if (requestId === 0 && kind === frameKind.answer) return;
    if (waiting === null) throw new ProtocolError("a helper spoke without being asked");
    if (kind === frameKind.data) {
      attachmentBytes += payload.length;
      if (attachmentBytes > attachmentBytesMax) throw new ProtocolError("a helper sent too many bytes");
      attachment.push(payload.slice());
      return;
    }
    const value = decodeJson(payload);
    const { resolve, reject } = waiting;
    waiting = null;
    if (kind === frameKind.answer) resolve({ value, bytes: Buffer.concat(attachment) });
    else reject(parseHelperFailure(value));
    attachment = [];
    attachmentBytes = 0;
  }

  child.stdout.on("data", (piece: Uint8Array) => {
    try {
      for (const frame of reader.push(piece)) receive(frame);
    } catch {
      lose("the helper sent what is no answer");
    }
  });
  child.stdin.on("error", () => lose("the helper does not listen"));
  child.stdout.on("error", () => lose("the helper does not speak"));
  void exited.then(() => lose("the helper ended"));

  return {
    pid,
    get isAlive() {
      return isAlive;
    },
    request: async (method, params, bytes, waitMs) => {
      if (!isAlive) throw new HelperLostError("the helper is gone");
      const answer = new Promise<RawAnswer>((resolve, reject) => (waiting = { resolve, reject }));
      const answered = new AbortController();
      input.clock.sleep(waitMs, answered.signal).then(
        () => lose("the helper did not answer in time"),
        () => undefined,
      );
      for (const frame of encodeAttachment(1, bytes)) child.stdin.write(frame);
      child.stdin.write(encodeJsonFrame(frameKind.request, 1, { method, params }));
      try {
        return await answer;
      } finally {
        answered.abort();
      }
    },
    kill: async () => {
      lose("the helper was ended");
      await exited;
    },
  };
}

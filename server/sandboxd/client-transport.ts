import { Agent, request, type IncomingMessage } from "node:http";
import type { Clock } from "../platform/clock";
import { describeError, DomainError, fromErrorBody } from "../platform/errors";
import type { SandboxMethod } from "./schema";

const retryWaitsMs = [50, 100, 200, 400, 800, 1_500];
const answerBytesMax = 40 * 1_048_576;
/** sandboxd ends each call by itself well within this: removing a Run waits longest. */
const answerDeadlineMs = 300_000;

/** sandboxd did not take the call, or went away before it answered. `hasProgress`: but something of it came. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly hasProgress: boolean;
  constructor(message: string, options: { cause?: unknown; hasProgress?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.hasProgress = options.hasProgress ?? false;
  }
}

/** HTTP over sandboxd's unix socket. */
export interface ClientTransport {
  /** One attempt. Errors: the `DomainError` that sandboxd answers; `NoAnswerError`. */
  send(method: SandboxMethod, body: Uint8Array, signal?: AbortSignal): Promise<IncomingMessage>;
  /** Runs `act` again while nobody answers, up to `patienceMs` without progress, then `sandbox.engine_unavailable`. */
  patiently<Value>(act: () => Promise<Value>, signal?: AbortSignal): Promise<Value>;
}

export function createClientTransport(deps: {
  socketPath: string;
  clock: Clock;
  patienceMs: number;
}): ClientTransport {
  const { socketPath, clock, patienceMs } = deps;
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  return {
    send: async (method, body, signal) => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = request({
          agent,
          socketPath,
          method: "POST",
          path: `/v1/${method}`,
          headers: { "Content-Length": body.length },
          timeout: answerDeadlineMs,
          ...(signal === undefined ? {} : { signal }),
        });
        outgoing.once("response", resolve);
        outgoing.once("timeout", () =>
          outgoing.destroy(new Error(`no answer within ${answerDeadlineMs} ms`)),
        );
        outgoing.once("error", (cause) => {
          reject(signal?.aborted === true ? cause : new NoAnswerError(cause.message, { cause }));
        });
        outgoing.end(body);
      });
      if (response.statusCode === 200) return response;
      const answer = (await readJson(response)) as { error?: unknown };
      throw asNoAnswer(fromErrorBody(answer.error));
    },
    patiently: async (act, signal) => {
      let givenUpAtMs = clock.monotonicMs() + patienceMs;
      for (let tries = 0; ; tries++) {
        try {
          return await act();
        } catch (error) {
          if (!(error instanceof NoAnswerError)) throw error;
          if (error.hasProgress) {
            tries = 0;
            givenUpAtMs = clock.monotonicMs() + patienceMs;
          }
          if (clock.monotonicMs() >= givenUpAtMs) throw unavailable(socketPath, error);
          await clock.sleep(retryWaitsMs[Math.min(tries, retryWaitsMs.length - 1)] ?? 0, signal);
        }
      }
    },
  };
}

/** Reads an answer of JSON. Errors: `NoAnswerError` when it breaks off. */
export async function readJson(response: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let byteCount = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      byteCount += piece.length;
      if (byteCount > answerBytesMax) throw new Error("The answer is too long.");
      pieces.push(piece);
    }
    return JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown;
  } catch (error) {
    throw new NoAnswerError(describeError(error), { cause: error });
  }
}

/** A sandboxd that is stopping is as good as away: the next one answers. */
export function asNoAnswer(error: DomainError): Error {
  return error.details["reason"] === "stopping" ? new NoAnswerError(error.message, { cause: error }) : error;
}

function unavailable(socketPath: string, cause: unknown): DomainError {
  const message = `sandboxd does not answer at ${socketPath}: is the stack up (npm run stack:status)?`;
  return new DomainError("sandbox.engine_unavailable", message, { reason: "sandboxd" }, { cause });
}

import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import type { Clock } from "../platform/clock";

/** Why a body was not read to its end. */
export type BodyFault = "too_large" | "too_slow" | "malformed" | "aborted";

export class BodyError extends Error {
  override readonly name = "BodyError";
  constructor(readonly fault: BodyFault) {
    super(`the request's body is ${fault}`);
  }
}

export interface BodyLimits {
  /** Counted after decompression. */
  bytesMax: number;
  /** The least that must arrive in each window in which somebody waits for it. */
  windowMs: number;
  windowBytesMin: number;
}

/**
 * The pieces of a request's body, decompressed, with an end to size and to patience: a sender that gives less than so much in a
 * window is cut. Only the time that is spent waiting for the sender counts, not the time that git needs.
 * Errors: rejects with `BodyError`.
 */
export async function* readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  clock: Clock,
): AsyncGenerator<Buffer, void, undefined> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip" && encoding !== "x-gzip")
    throw new BodyError("malformed");
  const source = encoding === "identity" ? request : request.pipe(createGunzip());
  request.once("close", () => {
    if (!request.complete) source.destroy(new BodyError("aborted"));
  });
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const pace = createPace(limits, clock);
  let bytes = 0;
  try {
    for (;;) {
      const next = await pace.wait(pieces.next());
      if (next.done === true) return;
      bytes += next.value.length;
      if (bytes > limits.bytesMax) throw new BodyError("too_large");
      yield next.value;
    }
  } catch (error) {
    if (error instanceof BodyError) throw error;
    throw new BodyError(request.complete ? "malformed" : "aborted");
  }
}

/** Adds up the time spent waiting; when a window of it is full, enough must have come. */
function createPace(
  limits: BodyLimits,
  clock: Clock,
): { wait(next: Promise<IteratorResult<Buffer>>): Promise<IteratorResult<Buffer>> } {
  let waitedMs = 0;
  let arrivedBytes = 0;
  return {
    wait: async (next) => {
      const startMs = clock.monotonicMs();
      const over = new AbortController();
      const tooSlow = clock.sleep(Math.max(limits.windowMs - waitedMs, 1), over.signal).then(
        () => "too_slow" as const,
        () => "over" as const,
      );
      const outcome = await Promise.race([next, tooSlow]).finally(() => over.abort());
      if (outcome === "too_slow" || outcome === "over") throw new BodyError("too_slow");
      waitedMs += clock.monotonicMs() - startMs;
      arrivedBytes += outcome.done === true ? 0 : outcome.value.length;
      if (waitedMs < limits.windowMs) return outcome;
      if (arrivedBytes < limits.windowBytesMin && outcome.done !== true) throw new BodyError("too_slow");
      waitedMs = 0;
      arrivedBytes = 0;
      return outcome;
    },
  };
}

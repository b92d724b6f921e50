import type { Clock } from "../platform/clock";
import { DomainError, describeError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import { toStorableJson, type JsonObject } from "../platform/storable-text";
import { hashBody, keptForMs } from "./rules";
import type { CallStore } from "./store";
import type { CallKey, CallRecord } from "./types";

/** How often a repeat looks whether the call that it joined is through. */
const pollMs = 100;

const beatEveryMs = 2_000;

/** An owner that has not moved for so long is gone: its process crashed between two beats. */
const goneAfterMs = 15_000;

/** Calls that their caller may repeat. */
export interface Idempotency {
  /**
   * Carries out `act` once for a key. A repeat with an equal body joins the call that is under way, in this process or
   * another, or gets its stored success without an act, for 24 hours. What `isKept` does not keep, and what was thrown,
   * is not stored: the next repeat is carried out anew. So is a call whose process crashed, 15 s after it was last
   * seen alive; the act must stand being begun twice then.
   * Errors: `conflict.idempotency` for the same key with another body; whatever `act` throws.
   */
  runOnce<Result extends object>(call: OnceCall<Result>, act: () => Promise<Result>): Promise<Result>;
  /** Frees keys that are older than 24 hours or whose process is gone. To be called every half minute or so. */
  sweep(): Promise<void>;
}

interface OnceCall<Result> extends CallKey {
  body: unknown;
  /** Whether a result is a success that answers the repeats. Refusals and rejections are not. */
  isKept: (result: Result) => boolean;
}

interface IdempotencyDeps {
  store: CallStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const { store, clock, ids, logger } = deps;
  const isOwnerGone = createWatch(clock);

  const expiry = (): Date => new Date(clock.now().getTime() - keptForMs);

  /** Begins the call, or says what the one that was begun before came to. */
  const beginOrJoin = async (
    key: CallKey,
    bodyHash: string,
  ): Promise<{ status: "begun"; id: string; ownerId: string } | { status: "done"; result: unknown }> => {
    for (;;) {
      const id = ids.uuid();
      const ownerId = ids.uuid();
      if (await store.begin({ ...key, id, bodyHash, ownerId, createdAt: clock.now() })) {
        return { status: "begun", id, ownerId };
      }
      const call = await store.find(key);
      if (call === null) continue;
      if (call.result !== null && call.createdAt < expiry()) {
        await store.removeFinished({ before: expiry(), id: call.id });
      } else if (call.result === null && isOwnerGone(call)) {
        await store.drop(call.id, call.ownerId, call.beat);
      } else if (call.bodyHash !== bodyHash) {
        throw new DomainError(
          "conflict.idempotency",
          "This idempotencyKey was used with another body. A new call takes a new key.",
        );
      } else if (call.result !== null) return { status: "done", result: call.result };
      else await clock.sleep(pollMs);
    }
  };

  const keepAlive = (id: string, ownerId: string): (() => void) =>
    clock.every(beatEveryMs, async () => {
      try {
        await store.beat(id, ownerId);
      } catch (error) {
        logger.warn({ reason: describeError(error) }, "a call under way could not say that it lives");
      }
    });

  /** Frees the key of a failed call. Where even that fails, the key is freed as one whose process is gone. */
  const free = async ({ id, ownerId }: { id: string; ownerId: string }): Promise<void> => {
    try {
      await store.drop(id, ownerId, null);
    } catch (error) {
      logger.warn({ reason: describeError(error) }, "a failed call's key could not be freed at once");
    }
  };

  return {
    runOnce: async <Result extends object>(
      { actorId, procedure, scopeId, key, body, isKept }: OnceCall<Result>,
      act: () => Promise<Result>,
    ): Promise<Result> => {
      const call = await beginOrJoin({ actorId, procedure, scopeId, key }, hashBody(body));
      if (call.status === "done") return call.result as Result;
      const stopBeats = keepAlive(call.id, call.ownerId);
      try {
        const result = await act();
        if (isKept(result)) await store.finish(call.id, call.ownerId, toStored(result));
        else await store.drop(call.id, call.ownerId, null);
        return result;
      } catch (error) {
        await free(call);
        throw error;
      } finally {
        stopBeats();
      }
    },
    sweep: async () => {
      await store.removeFinished({ before: expiry(), id: null });
      for (const call of await store.listUnfinished()) {
        if (isOwnerGone(call)) await store.drop(call.id, call.ownerId, call.beat);
      }
    },
  };
}

/**
 * Judges owners by whether they move while this process looks, by its own monotonic time: no wall clock that jumps, here
 * or elsewhere, makes a living one look gone.
 */
function createWatch(clock: Clock): (call: CallRecord) => boolean {
  const seen = new Map<string, { mark: string; sinceMs: number; lastMs: number }>();
  return ({ id, ownerId, beat }) => {
    const nowMs = clock.monotonicMs();
    for (const [other, { lastMs }] of seen) {
      if (nowMs - lastMs > 10 * goneAfterMs) seen.delete(other);
    }
    const mark = `${ownerId} ${beat}`;
    const before = seen.get(id);
    const sinceMs = before?.mark === mark ? before.sinceMs : nowMs;
    seen.set(id, { mark, sinceMs, lastMs: nowMs });
    return nowMs - sinceMs >= goneAfterMs;
  };
}

/** What the wire would carry of a result, as the database can hold it. */
function toStored(result: object): JsonObject {
  return toStorableJson(JSON.parse(JSON.stringify(result)) as JsonObject);
}

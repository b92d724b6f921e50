import type { Caller } from "../access/types";
import type { Idempotency } from "../idempotency/service";

/** A mutating call as it came in. `scopeId` is the Run, or the Task of an open. */
interface RepeatableCall {
  caller: Caller;
  procedure: string;
  scopeId: string;
  input: { idempotencyKey?: string | undefined };
}

/**
 * Carries a call out, once for its `idempotencyKey` when it has one. Only what `isKept` is stored for the repeats.
 * Errors: `conflict.idempotency`; whatever `act` throws.
 */
export function carryOutOnce<Result extends object>(
  idempotency: Idempotency,
  { caller, procedure, scopeId, input }: RepeatableCall,
  isKept: (result: Result) => boolean,
  act: () => Promise<Result>,
): Promise<Result> {
  const { idempotencyKey: key, ...body } = input;
  if (key === undefined) return act();
  return idempotency.runOnce({ actorId: caller.actor.id, procedure, scopeId, key, body, isKept }, act);
}

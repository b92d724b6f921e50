import { describeError, DomainError } from "../platform/errors";
import { EngineError } from "./engine";

/**
 * Turns what went wrong below into the error that callers branch on: no answer from the engine is
 * `sandbox.engine_unavailable`, everything else `sandbox.start_failed` with what the engine said.
 *
 * | phase | failure | retried by | left behind |
 * | --- | --- | --- | --- |
 * | create | no answer | nobody | a container that the sweep finds by its label and removes |
 * | start, rename | any | nobody | the container, removed before the error is seen |
 * | reach the supervisor | any | the link, up to 15 s (30 s at a start) | as above |
 * | removal | any | until it is gone; the slot counts meanwhile | nothing |
 */
export function describeEngineFailure(error: unknown, sentence: string): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof EngineError && error.kind === "unavailable") {
    return new DomainError("sandbox.engine_unavailable", error.message, {}, { cause: error });
  }
  return new DomainError("sandbox.start_failed", `${sentence} ${describeError(error)}`, {}, { cause: error });
}

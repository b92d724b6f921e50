import type { Verdict } from "./types";

/** Lets a call without a body through, as it is written here. */
export function forward(method: string, target: string): Verdict {
  return { status: "forward", call: { method, target } };
}

/** Refuses a call, and says why. */
export function refused(reason: string): Verdict {
  return { status: "refused", reason };
}

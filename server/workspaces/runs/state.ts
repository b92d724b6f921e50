import type { RunState } from "./types";

/** The legal next states of each; ending is legal from every live one. */
const transitions: Record<RunState, readonly RunState[]> = {
  opening: ["open", "failed", "closed"],
  open: ["asleep", "completing", "failed", "closed"],
  asleep: ["open", "failed", "closed"],
  completing: ["open", "asleep", "proposed", "no_changes", "failed", "closed"],
  proposed: [],
  no_changes: [],
  failed: [],
  closed: [],
};

export const liveStates = ["opening", "open", "asleep", "completing"] as const satisfies readonly RunState[];

export function canBecome(from: RunState, to: RunState): boolean {
  return transitions[from].includes(to);
}

export function isEnded(state: RunState): boolean {
  return transitions[state].length === 0;
}

import type { SessionState } from "./types";

const nextStates: Record<SessionState, readonly SessionState[]> = {
  reserved: ["open", "released"],
  open: ["settled"],
  settled: [],
  released: [],
};

/** Whether a session may go from one state to another. Nothing leads out of an end, so a session ends once. */
export function canBecome(from: SessionState, to: SessionState): boolean {
  return nextStates[from].includes(to);
}

/** Whether a session still holds seconds. */
export function isLive(state: SessionState): boolean {
  return nextStates[state].length > 0;
}

import type { RunEndKind, RunRecord } from "./types";

const words: Record<RunEndKind, string> = {
  completed: "completed its Task",
  fail_task: "gave its Task up",
  closed: "was closed without a result",
  stopped: "was stopped",
  lost: "was lost",
  expired: "expired",
  archived: "ended with its Project",
};

/** Says how a Run ended, to whoever asked for an end of the kind `asked`: the first end stands, whichever it was. */
export function describeEnd(run: RunRecord, asked: RunEndKind): string {
  const { state, endKind } = run;
  const how = endKind === null ? `ended as ${state}` : words[endKind];
  const reason = run.endReason === null ? "" : `: ${run.endReason.replace(/\.$/, "")}`;
  if (endKind === asked) return `The Run ${how}${reason}.`;
  return `The Run had ended before, and that stands: it ${how}${reason}.`;
}

/** Says what is left of a Run that has ended. */
export function describeKept({ state }: Pick<RunRecord, "state">): string {
  const log = "the Run's log with every file that a tool wrote and every command's output";
  if (state === "proposed") return `Kept: ${log}, and its ChangeSet. Gone: its directory and its processes.`;
  return `Kept: ${log}. Gone: its directory, its processes and its fork.`;
}

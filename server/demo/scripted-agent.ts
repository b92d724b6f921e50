import { describeError } from "../platform/errors";
import type { CommandResult } from "../workspaces/schema";
import type { AgentTools, ScriptedResult, Steps } from "./types";

const waitMs = 30_000;

const brokenLine = "return sum.plus(discount).toFixed(2);";
const fixedLine = "return sum.minus(discount).toFixed(2);";

/** A step whose outcome is not the one that the script goes on from. */
class UnexpectedStep extends Error {
  override readonly name = "UnexpectedStep";
}

/**
 * Does what a coding agent would, without a model: opens, looks, sees the test fail, mends it, sees it pass, proposes. A
 * step that comes out otherwise fails the Run with the reason, so that its slot and seconds are not left behind. Errors:
 * those of the tools, after the Run was failed.
 */
export async function runScriptedAgent(
  tools: AgentTools,
  taskId: string,
  steps: Steps,
): Promise<ScriptedResult> {
  const opened = await steps.take("The agent opens a workspace", () => tools.open({ taskId }));
  if (opened.status === "refused") {
    const { refusalId, reason, message } = opened;
    return { status: "refused", refusalId, reason, message };
  }
  const { runId } = opened;
  steps.note(`${opened.directory} in ${opened.sandboxId}, ${opened.reservedSeconds} s reserved`);
  try {
    return { status: "proposed", runId, changeSetId: await work(tools, runId, steps) };
  } catch (error) {
    const reason = describeError(error);
    await tools.failTask({ runId, reason });
    if (error instanceof UnexpectedStep) return { status: "failed", runId, message: reason };
    throw error;
  }
}

async function work(tools: AgentTools, runId: string, steps: Steps): Promise<string> {
  const command = async (text: string, isExpected: (exitCode: number | null) => boolean): Promise<void> => {
    const result = await steps.take(`It runs ${text}`, () => runToEnd(tools, runId, text));
    steps.showCommand(result);
    if (result.status !== "exited" || !isExpected(result.exitCode)) {
      throw new UnexpectedStep(`${text} did not end as the demo expects.`);
    }
  };
  const listed = await steps.take("It lists the files", () => tools.listFiles({ runId, depth: 2 }));
  steps.note(listed.items.map(({ path }) => path).join("  "));
  const path = "src/total.ts";
  await steps.take(`It reads ${path}`, () => tools.readFile({ runId, path }));
  await command("bun install", (code) => code === 0);
  await command("bun test", (code) => code !== 0);
  await steps.take(`It edits ${path}`, () =>
    tools.editFile({ runId, path, oldText: brokenLine, newText: fixedLine }),
  );
  steps.note(`- ${brokenLine}`);
  steps.note(`+ ${fixedLine}`);
  await command("bun test", (code) => code === 0);
  const completed = await steps.take("It completes its Task", () =>
    tools.completeTask({
      runId,
      title: "Take the discount off the total",
      summary: "The discount was added to the sum. It is subtracted now, and the failing test passes.",
    }),
  );
  if (completed.status !== "proposed") {
    throw new UnexpectedStep("The workspace held no change to propose.");
  }
  steps.note(`${completed.filesChanged} file, +${completed.insertions} -${completed.deletions}`);
  return completed.changeSetId;
}

async function runToEnd(tools: AgentTools, runId: string, command: string): Promise<CommandResult> {
  let result = await tools.runCommand({ runId, command, waitMs });
  while (result.status === "running") {
    result = await tools.waitCommand({ runId, commandId: result.commandId, waitMs });
  }
  return result;
}

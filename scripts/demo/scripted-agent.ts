import type { CommandResult } from "../../server/workspaces/schema";
import { formatCommand } from "../cli/workspace-commands";
import type { Client } from "../cli/connection";
import { OperatorError } from "../stack/operator-error";
import type { Steps } from "./steps";

const waitMs = 30_000;

const brokenLine = "return sum.plus(discount).toFixed(2);";
const fixedLine = "return sum.minus(discount).toFixed(2);";

/**
 * Does what a coding agent would, without a model: opens, looks, sees the test fail, mends it, sees it pass, proposes. Gives
 * the id of its ChangeSet. Errors: `OperatorError` that says which step did not come out as it should.
 */
export async function runScriptedAgent(client: Client, taskId: string, steps: Steps): Promise<string> {
  const { workspace } = client;
  const opened = await steps.take("The agent opens a workspace", () => workspace.open.mutate({ taskId }));
  if (opened.status === "refused") {
    throw new OperatorError(`The workspace was refused (${opened.reason}): ${opened.message}`);
  }
  const { runId } = opened;
  steps.note(`${opened.directory} in ${opened.sandboxId}, ${opened.reservedSeconds} s reserved`);
  try {
    return await work(client, runId, steps);
  } catch (error) {
    // Its slot and its seconds are not left behind when a step broke. After an end this changes nothing.
    await workspace.close.mutate({ runId });
    throw error;
  }
}

async function work(client: Client, runId: string, steps: Steps): Promise<string> {
  const { workspace } = client;
  const command = async (text: string, isExpected: (exitCode: number | null) => boolean): Promise<void> => {
    const result = await steps.take(`It runs ${text}`, () => runToEnd(client, runId, text));
    steps.show(formatCommand(result));
    if (result.status !== "exited" || !isExpected(result.exitCode)) {
      throw new OperatorError(`${text} did not end as the demo expects.`);
    }
  };
  const listed = await steps.take("It lists the files", () =>
    workspace.listFiles.mutate({ runId, depth: 2 }),
  );
  steps.note(listed.items.map(({ path }) => path).join("  "));
  const path = "src/total.ts";
  const read = await steps.take(`It reads ${path}`, () => workspace.readFile.mutate({ runId, path }));
  await command("bun install", (code) => code === 0);
  await command("bun test", (code) => code !== 0);
  await steps.take(`It edits ${path}`, () =>
    workspace.editFile.mutate({
      runId,
      path,
      oldText: brokenLine,
      newText: fixedLine,
      ...(read.sha256 === null ? {} : { expectedSha256: read.sha256 }),
    }),
  );
  steps.note(`- ${brokenLine}`);
  steps.note(`+ ${fixedLine}`);
  await command("bun test", (code) => code === 0);
  const completed = await steps.take("It completes its Task", () =>
    workspace.completeTask.mutate({
      runId,
      title: "Take the discount off the total",
      summary: "The discount was added to the sum. It is subtracted now, and the failing test passes.",
    }),
  );
  if (completed.status !== "proposed") throw new OperatorError("The workspace held no change to propose.");
  steps.note(`${completed.filesChanged} file, +${completed.insertions} -${completed.deletions}`);
  return completed.changeSetId;
}

async function runToEnd({ workspace }: Client, runId: string, command: string): Promise<CommandResult> {
  let result = await workspace.runCommand.mutate({ runId, command, waitMs });
  while (result.status === "running") {
    result = await workspace.waitCommand.mutate({ runId, commandId: result.commandId, waitMs });
  }
  return result;
}

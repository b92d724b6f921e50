import { openRun, propose, type OpenedRun } from "./proposals";
import { expect, type Api } from "./session";

/** Calls the API as an agent that was let into this Project. */
export async function makeAgent(api: Api, projectId: string, label: string): Promise<Api> {
  const { token } = await api.mutate<{ token: string }>("token.create", { role: "agent", label, projectId });
  return api.as(token);
}

interface Proposal {
  title: string;
  summary?: string;
  /** By path. */
  files: Readonly<Record<string, string>>;
}

/** Writes these files in a Run that is open and completes it: what it answers is the ChangeSet's id. */
export async function writeAndPropose(
  agent: Api,
  runId: string,
  { files, ...words }: Proposal,
): Promise<string> {
  for (const [path, content] of Object.entries(files))
    await agent.mutate("workspace.writeFile", { runId, path, content });
  return propose(agent, runId, words);
}

/** Opens a Run in a Change of its own and proposes these files. */
export async function proposeFiles(
  agent: Api,
  projectId: string,
  proposal: Proposal,
): Promise<OpenedRun & { changeSetId: string }> {
  const run = await openRun(agent, projectId, proposal.title);
  return { ...run, changeSetId: await writeAndPropose(agent, run.runId, proposal) };
}

/** Makes one more Task in this Change and asks for a workspace on it. */
export async function openOnNewTask(agent: Api, changeId: string, title: string): Promise<Opened> {
  const task = { changeId, kind: "implement", title, instructions: title };
  const { id: taskId } = await agent.mutate<{ id: string }>("task.create", task);
  return { taskId, ...(await agent.mutate<Omit<Opened, "taskId">>("workspace.open", { taskId })) };
}

/** Opens a Run that goes on from what this ChangeSet proposes. */
export async function openRevision(agent: Api, taskId: string, revisesChangeSetId: string): Promise<string> {
  const opened = await agent.mutate<Omit<Opened, "taskId">>("workspace.open", { taskId, revisesChangeSetId });
  return runOf({ taskId, ...opened });
}

interface Opened {
  taskId: string;
  status: "open" | "refused";
  runId?: string;
  refusalId?: string;
  reason?: string;
  message?: string;
  limit?: number;
  used?: number;
}

/** The Run of an open that has to come out well. */
export function runOf(opened: Opened): string {
  expect(opened).toMatchObject({ status: "open" });
  return opened.runId ?? "";
}

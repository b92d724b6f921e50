import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pushFolder } from "../scripts/demo/push-folder";
import { adminToken, expect, type Api } from "./session";

/** A file by the bytes of its name, which need not be text. */
export interface FileBytes {
  path: string | Buffer;
  content: string | Buffer;
  /** Its content is where it points to. */
  isLink?: boolean;
}

export interface OpenedRun {
  projectId: string;
  changeId: string;
  taskId: string;
  runId: string;
}

/** Every Project of the journeys has this script; what it runs is no part of any ChangeSet. */
const script = ".make.js";
const basics: FileBytes[] = [
  { path: "package.json", content: JSON.stringify({ name: "sample", scripts: { make: `bun ${script}` } }) },
  { path: ".gitignore", content: `${script}\n` },
];

/** Makes a Project whose first commit holds these files. */
export async function makeProject(api: Api, name: string, files: readonly FileBytes[] = []): Promise<string> {
  const { id } = await api.mutate<{ id: string }>("project.create", { name });
  const read = () => api.query<{ state: string; cloneUrl: string }>("project.get", { id });
  await expect.poll(async () => (await read()).state).toBe("ready");
  const folder = mkdtempSync(join(tmpdir(), "rhumbatron-e2e-"));
  try {
    for (const file of [...basics, ...files]) writeTo(folder, file);
    const { cloneUrl } = await read();
    await pushFolder({ folder, message: "First state", cloneUrl, branch: "main", token: adminToken() });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return id;
}

function writeTo(folder: string, { path, content, isLink = false }: FileBytes): void {
  const target = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path)]);
  mkdirSync(Buffer.from(dirname(target.toString("latin1")), "latin1"), { recursive: true });
  if (isLink) symlinkSync(content, target);
  else writeFileSync(target, content);
}

/** Opens a Run of a new Task in a new Change. */
export async function openRun(api: Api, projectId: string, title: string): Promise<OpenedRun> {
  const { id: changeId } = await api.mutate<{ id: string }>("change.create", { projectId, title });
  return { projectId, changeId, ...(await openTask(api, changeId, title)) };
}

/** Opens a Run of a new Task in this Change. */
export async function openTask(
  api: Api,
  changeId: string,
  title: string,
): Promise<Pick<OpenedRun, "taskId" | "runId">> {
  const task = { changeId, kind: "implement", title, instructions: `${title}, as simply as can be.` };
  const { id: taskId } = await api.mutate<{ id: string }>("task.create", task);
  const opened = await api.mutate<{ status: string; runId: string }>("workspace.open", { taskId });
  expect(opened).toMatchObject({ status: "open" });
  return { taskId, runId: opened.runId };
}

/** Runs JavaScript in the workspace, as code that an agent wrote would run. */
export async function runInWorkspace(api: Api, runId: string, source: string): Promise<void> {
  await api.mutate("workspace.writeFile", { runId, path: script, content: source });
  const command = { runId, command: "bun run make", waitMs: 50_000 };
  const result = await api.mutate<{ status: string; exitCode: number; stderr: { text: string } }>(
    "workspace.runCommand",
    command,
  );
  expect(result, JSON.stringify(result)).toMatchObject({ status: "exited", exitCode: 0 });
}

/** JavaScript that writes these files into the workspace. */
export function writing(files: readonly FileBytes[]): string {
  const entries = files.map(({ path, content, isLink }) => [
    Buffer.from(path).toString("base64"),
    Buffer.from(content).toString("base64"),
    isLink === true,
  ]);
  return `
    const { mkdirSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
    const bytes = (text) => Buffer.from(text, "base64");
    for (const [path, content, isLink] of ${JSON.stringify(entries)}) {
      const name = bytes(path);
      const end = name.lastIndexOf("/");
      if (end > 0) mkdirSync(name.subarray(0, end), { recursive: true });
      rmSync(name, { force: true });
      if (isLink) symlinkSync(bytes(content), name);
      else writeFileSync(name, bytes(content));
    }
  `;
}

/** Completes the Run, which has to hold a change, and answers its ChangeSet. */
export async function propose(
  api: Api,
  runId: string,
  { title, summary = "" }: { title: string; summary?: string },
): Promise<string> {
  const completed = await api.mutate<{ status: string; changeSetId: string }>("workspace.completeTask", {
    runId,
    title,
    summary,
  });
  expect(completed).toMatchObject({ status: "proposed" });
  return completed.changeSetId;
}

/** Approves a ChangeSet and merges it into its branch as it is now. */
export async function approveAndMerge(api: Api, id: string): Promise<void> {
  const { headCommit } = await api.query<{ headCommit: string }>("changeSet.get", { id });
  const review = { id, headCommit, verdict: "approve", summary: "", idempotencyKey: id };
  await api.mutate("changeSet.review", review);
  const { baseCommit } = await api.query<{ baseCommit: string }>("changeSet.mergeability", { id });
  await api.mutate("changeSet.merge", { id, headCommit, baseCommit });
}

import {
  makeProject,
  openRun,
  openTask,
  propose,
  runInWorkspace,
  writing,
  type FileBytes,
} from "./proposals";
import type { Api } from "./session";

/** What stands on the pages: something of everything that people and agents make. */
export interface Sample {
  projectId: string;
  changeId: string;
  /** It ended with a ChangeSet. */
  runId: string;
  changeSetId: string;
  /** Another attempt at the same Change. */
  secondChangeSetId: string;
  /** It works on. */
  openRunId: string;
}

/** Squares of one colour. */
const redPng =
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAAA1BMVEW/AABpeIT3AAAADUlEQVR42mNgGAXUBAABUAABNLg62QAAAABJRU5ErkJggg==";
const greenPng =
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAAA1BMVEUAvwDEJ4+tAAAADUlEQVR42mNgGAXUBAABUAABNLg62QAAAABJRU5ErkJggg==";

const before: FileBytes[] = [
  { path: "src/limit.ts", content: lines(40, (n) => `export const limit${n} = ${n};`) },
  { path: "src/old-name.ts", content: lines(12, (n) => `// What ${n} is for.`) },
  { path: "README.md", content: "# Sample\n\nA service that refuses too many requests.\n" },
  { path: "logo.png", content: Buffer.from(redPng, "base64") },
];

const after: FileBytes[] = [
  {
    path: "src/limit.ts",
    content: lines(40, (n) => `export const limit${n} = ${n % 13 === 0 ? n * 10 : n};`),
  },
  { path: "src/new-name.ts", content: lines(12, (n) => `// What ${n} is for.`) },
  {
    path: "src/limit.test.ts",
    content: lines(30, (n) => `test("refuses request ${n}", () => refuse(${n}));`),
  },
  { path: "docs/limits.md", content: "# Limits\r\n\r\nA hundred a minute \u2014 no more.\r\n" },
  { path: "logo.png", content: Buffer.from(greenPng, "base64") },
];

/** Makes one Project with an ended and an open Run, a refusal, an Intent, and comments. `endSample` has to follow. */
export async function makeSample(api: Api): Promise<Sample> {
  const projectId = await makeProject(api, "Rate limits", before);
  const first = await openRun(api, projectId, "Limit requests by address");
  const { changeId, runId } = first;
  await runInWorkspace(
    api,
    runId,
    `${writing(after)}
    rmSync("src/old-name.ts");
    console.log("\\u001b[32m✓\\u001b[0m 30 tests pass");
    console.error("warning: 2 limits are very high");`,
  );
  const changeSetId = await propose(api, runId, {
    title: "Refuse more than a hundred requests a minute",
    summary:
      "Requests are counted by address.\n\n- The limits of 13, 26 and 39 are ten times as high.\n- Tests for each.",
  });
  await comment(api, changeSetId);
  const second = await openTask(api, changeId, "The same with a token bucket");
  await runInWorkspace(api, second.runId, writing(after.slice(0, 3)));
  const words = { title: "Refuse by a token bucket", summary: "Fewer files." };
  const secondChangeSetId = await propose(api, second.runId, words);
  await declareIntent(api, changeId);
  const third = await openTask(api, changeId, "Say when to come back");
  await runInWorkspace(api, third.runId, `console.log("working on it")`);
  return { projectId, changeId, runId, changeSetId, secondChangeSetId, openRunId: third.runId };
}

/** Frees what the sample holds open, so that other journeys find room. */
export async function endSample(api: Api, { openRunId }: Sample): Promise<void> {
  await api.mutate("workspace.failTask", { runId: openRunId, reason: "The pages have been looked at." });
}

async function comment(api: Api, changeSetId: string): Promise<void> {
  const { headCommit } = await api.query<{ headCommit: string }>("changeSet.get", { id: changeSetId });
  const place = { path: "src/limit.ts", side: "new", startLine: 13, endLine: 13 };
  await api.mutate("changeSet.review", {
    id: changeSetId,
    headCommit,
    verdict: "comment",
    summary: "The counting is right; two questions.",
    comments: [
      { ...place, kind: "question", body: "Why is this one ten times as high?" },
      { path: "docs/limits.md", body: "These lines end otherwise than those of other files." },
      { kind: "blocking", body: "What does somebody see who is refused?" },
    ],
    idempotencyKey: `sample ${changeSetId}`,
  });
}

/** A Task of this kind opens no workspace: what it would change is written down instead. */
async function declareIntent(api: Api, changeId: string): Promise<void> {
  const task = { changeId, kind: "design", title: "Limits for each token", instructions: "Think about it." };
  const { id: taskId } = await api.mutate<{ id: string }>("task.create", task);
  const { refusalId } = await api.mutate<{ refusalId: string }>("workspace.open", { taskId });
  const body = "I would count by token first and by address where there is none.";
  await api.mutate("intent.declare", { taskId, refusalId, title: "Count by token", body });
}

function lines(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join("");
}

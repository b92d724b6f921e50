import { makeAgent, openRevision, proposeFiles, writeAndPropose } from "./agent";
import { makeProject } from "./proposals";
import { beginComment, linesOf, openFinish, threadAt } from "./review-page";
import { admin, expect, test } from "./session";

const path = "src/price.ts";
const base = ["export const net = 10;", "export const rate = 2;", "export const gross = net * rate;", ""];
const first = [base[0], base[1], "export const gross = net + rate;", "export const label = gross;", ""];
const second = ["// Prices in cents.", ...first.slice(0, 3), "export const label = String(gross);", ""];

interface Threads {
  items: { anchor: unknown; comments: { body: string }[] }[];
}

test("changes are requested on a line, the agent's new version shows on the open page without touching what is being typed, the thread comes along, and the new version is approved", async ({
  page,
  api,
}) => {
  const projectId = await makeProject(api, "New version", [{ path, content: base.join("\n") }]);
  const agent = await makeAgent(api, projectId, "revising agent");
  const { taskId, changeSetId } = await proposeFiles(agent, projectId, {
    title: "Add the rate",
    summary: "Adds it.",
    files: { [path]: first.join("\n") },
  });

  await page.goto(`/change-sets/${changeSetId}`);
  const remark = "Why is a label a number?";
  await (await beginComment(page, path, 4)).fill(remark);
  await page.getByRole("button", { name: "Keep for the review" }).click();
  await expect(page.getByText("Only you see it. It is sent with your review.")).toBeVisible();

  const finish = await openFinish(page, "Request changes");
  await finish.getByLabel("Summary").fill("Nearly.");
  await expect(finish).toContainText(`${path}:4`);
  await finish.getByRole("button", { name: "Request changes and send 1 comment" }).click();
  await expect(finish).toBeHidden();
  await expect(page.getByRole("region", { name: "Reviews" })).toContainText(
    `${admin.name}requested changes on version 1`,
  );
  await expect(threadAt(page, `${path}:4`)).toContainText(remark);

  const draft = await beginComment(page, path, 3);
  await draft.fill("Half a thou");
  await expect(page.getByText("Draft saved")).toBeVisible();

  const threads = await agent.query<Threads>("comment.list", { changeSetId });
  expect(threads.items.map(({ comments }) => comments.map(({ body }) => body))).toEqual([[remark]]);
  const revisionId = await openRevision(agent, taskId, changeSetId);
  const nextId = await writeAndPropose(agent, revisionId, {
    title: "Add the rate, as a label too",
    files: { [path]: second.join("\n") },
  });

  await expect(page.getByText("Version 2 took the place of this one.")).toBeVisible();
  await expect(page).toHaveURL(`/change-sets/${changeSetId}`);
  await expect(draft).toHaveValue("Half a thou");
  await draft.focus();
  await page.keyboard.type("ght");
  await expect(draft).toHaveValue("Half a thought");
  await expect(page.getByText("Draft saved")).toBeVisible();

  await page.getByRole("link", { name: "Go to it" }).click();
  await expect(page).toHaveURL(`/change-sets/${nextId}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add the rate, as a label too");
  await expect(page.getByText("It said nothing but the title.")).toBeVisible();
  await expect(linesOf(page, "New", path)).toContainText("// Prices in cents.");
  const thread = threadAt(page, `${path}:4`);
  await expect(thread).toContainText(remark);
  await expect(thread).toContainText("from version 1");
  await thread.getByRole("button", { name: "Resolve" }).click();
  await expect(thread).toContainText("Resolved");
  await page.getByRole("button", { name: "Edit the draft" }).click();
  await expect(page.getByRole("textbox", { name: "Your comment" })).toHaveValue("Half a thought");
  await page.getByRole("button", { name: "Discard", exact: true }).click();

  const approval = await openFinish(page, "Approve");
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(approval).toBeHidden();
  await expect(page.getByRole("region", { name: "Reviews" })).toContainText(
    `${admin.name}approved version 2`,
  );
  await expect(page.getByRole("button", { name: "Merge", exact: true })).toBeVisible();
  expect(await api.query("changeSet.get", { id: nextId })).toMatchObject({
    version: 2,
    counts: { unresolved: 0 },
  });
});

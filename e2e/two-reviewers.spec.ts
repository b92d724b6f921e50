import { makeAgent, proposeFiles } from "./agent";
import { makeProject } from "./proposals";
import { beginComment, openFinish, threadAt } from "./review-page";
import { admin, expect, reviewer, test } from "./session";

const files = { "src/left.ts": "export const left = 1;\n", "src/right.ts": "export const right = 2;\n" };

test("two reviewers at once see each other's comments, replies and verdicts as they come, and nobody's drafts", async ({
  page,
  reviewerPage,
  api,
}) => {
  const changeSetId = await propose(api, "Two at once");
  await page.goto(`/change-sets/${changeSetId}`);
  await reviewerPage.goto(`/change-sets/${changeSetId}`);

  await (await beginComment(page, "src/left.ts", 1)).fill("Is it left?");
  await expect(page.getByText("Draft saved")).toBeVisible();
  const unsent = await beginComment(reviewerPage, "src/right.ts", 1);
  await unsent.fill("Right so far");
  await page.getByRole("button", { name: "Comment now" }).click();
  const theirs = threadAt(reviewerPage, "src/left.ts:1");
  await expect(theirs).toContainText("Is it left?");
  await expect(theirs).toContainText(admin.name);
  await expect(unsent).toHaveValue("Right so far");
  await expect(page.getByText("Right so far")).toBeHidden();

  await theirs.getByRole("button", { name: "Reply" }).click();
  await reviewerPage.getByRole("textbox", { name: "Your reply" }).fill("It is.");
  await theirs.getByRole("button", { name: "Comment now" }).click();
  await expect(threadAt(page, "src/left.ts:1")).toContainText(`${reviewer.name}`);
  await expect(threadAt(page, "src/left.ts:1")).toContainText("It is.");

  const finish = await openFinish(reviewerPage, "Approve");
  await finish.getByRole("button", { name: "Approve and send 1 comment" }).click();
  await expect(page.getByRole("region", { name: "Reviews" })).toContainText(
    `${reviewer.name}approved version 1`,
  );
  await expect(threadAt(page, "src/right.ts:1")).toContainText("Right so far");
  await expect(page.getByRole("button", { name: "Merge", exact: true })).toBeVisible();

  const doubts = await openFinish(page, "Request changes");
  await doubts.getByLabel("Summary").fill("Wait.");
  await doubts.getByRole("button", { name: "Request changes", exact: true }).click();
  await expect(reviewerPage.getByRole("region", { name: "Reviews" })).toContainText(
    `${admin.name}requested changes on version 1`,
  );
  await expect(reviewerPage.getByRole("button", { name: "Merge", exact: true })).toBeHidden();
});

async function propose(api: Parameters<typeof makeProject>[0], title: string): Promise<string> {
  const projectId = await makeProject(api, title);
  const agent = await makeAgent(api, projectId, title);
  return (await proposeFiles(agent, projectId, { title, files })).changeSetId;
}

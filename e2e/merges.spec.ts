import type { Page } from "@playwright/test";
import { makeAgent, proposeFiles } from "./agent";
import { readBranchHead } from "./branch-head";
import { approveAndMerge, makeProject } from "./proposals";
import { openFinish } from "./review-page";
import { expect, test } from "./session";

const greeting = { path: "greeting.txt", content: "hello\n" };

test("a branch that moved while the merge was looked at is not merged over: the page says so, and merges by a commit of its own", async ({
  page,
  api,
}) => {
  const projectId = await makeProject(api, "Two at once", [greeting]);
  const agent = await makeAgent(api, projectId, "merging agent");
  const mine = await proposeFiles(agent, projectId, { title: "Add one", files: { "one.txt": "1\n" } });
  const other = await proposeFiles(agent, projectId, { title: "Add two", files: { "two.txt": "2\n" } });
  const { cloneUrl } = await api.query<{ cloneUrl: string }>("project.get", { id: projectId });
  await approve(page, mine.changeSetId);
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Merge" });
  await expect(dialog).toContainText("The branch moves forward to the approved commit.");

  // The page learns of it only by what its own merge is told: events are held back.
  await page.route("**/api/trpc/event.stream**", (route) => route.abort());
  await page.route("**/api/trpc/*mergeability*", (route) => route.abort());
  await approveAndMerge(api, other.changeSetId);
  await page.unroute("**/api/trpc/*mergeability*");
  const moved = await readBranchHead(cloneUrl, "main");
  await dialog.getByRole("button", { name: "Merge into main" }).click();
  await expect(dialog.getByRole("alert")).toContainText(/moved/i);
  expect(await readBranchHead(cloneUrl, "main")).toBe(moved);

  await expect(dialog).toContainText("by a merge commit whose second parent is the approved commit");
  await dialog.getByLabel("Message of the merge commit").fill("One and two together");
  await dialog.getByRole("button", { name: "Merge into main" }).click();
  await expect(page.getByRole("dialog", { name: "Merged" })).toBeVisible();
  const { items } = await api.query<{ items: { name: string; subject: string }[] }>("project.branches", {
    id: projectId,
  });
  expect(items.find(({ name }) => name === "main")?.subject).toBe("One and two together");
});

test("a ChangeSet that conflicts with its branch lists the files and cannot be merged", async ({
  page,
  api,
}) => {
  const projectId = await makeProject(api, "Conflict", [greeting]);
  const agent = await makeAgent(api, projectId, "conflicting agent");
  const mine = await proposeFiles(agent, projectId, {
    title: "Greet the world",
    files: { [greeting.path]: "hello, world\n", "new.txt": "new\n" },
  });
  const other = await proposeFiles(agent, projectId, {
    title: "Greet the moon",
    files: { [greeting.path]: "hello, moon\n" },
  });
  await approveAndMerge(api, other.changeSetId);
  await approve(page, mine.changeSetId);
  await expect(page.getByText("Conflicts", { exact: false }).first()).toBeVisible();
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Merge" });
  await expect(dialog).toContainText("One file conflicts");
  await expect(dialog.getByRole("listitem")).toHaveText([greeting.path]);
  await expect(dialog.getByRole("button", { name: "Merge into main" })).toBeDisabled();
});

async function approve(page: Page, changeSetId: string): Promise<void> {
  await page.goto(`/change-sets/${changeSetId}`);
  const dialog = await openFinish(page, "Approve");
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(dialog).toBeHidden();
}

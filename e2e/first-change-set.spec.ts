import type { Page } from "@playwright/test";
import { readBranchHead } from "./branch-head";
import { linesOf, openFinish } from "./review-page";
import { expect, findFirstAdminLink, test, admin } from "./session";

/** The demo's words: what a person reads who runs the sample. */
const sample = { change: "Totals are wrong", title: "Take the discount off the total" };

test("on a new installation the first admin comes in, runs the sample, and merges the ChangeSet that it proposes", async ({
  visitorPage: page,
  api,
}) => {
  const { items } = await api.query<{ items: unknown[] }>("project.list");
  test.skip(items.length > 0, "not run: the stack under test is no new one, it has Projects");

  await comeIn(page);
  const firstSteps = page.getByRole("region", { name: "First steps" });
  await expect(firstSteps.getByRole("listitem")).toHaveText([
    /Create a Project or import a repository/,
    /Make a token for an agent/,
    /Give it a Task/,
    /See it done first/,
  ]);
  await firstSteps.getByRole("button", { name: "Run the sample" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(sample.change);
  await expect(
    page.getByRole("region", { name: "ChangeSets" }).getByRole("link", { name: sample.title }),
  ).toBeVisible({ timeout: 90_000 });

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await expect(firstSteps).toBeHidden();
  const waiting = page.getByRole("region", { name: "Needs your review" });
  await waiting.getByRole("link", { name: sample.title }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(sample.title);
  await readIt(page);
  await approve(page);
  await merge(page);

  const [changeSetId = ""] = new URL(page.url()).pathname.split("/").slice(-1);
  const changeSet = await api.query<{ headCommit: string; projectId: string; branch: string }>(
    "changeSet.get",
    { id: changeSetId },
  );
  const { cloneUrl } = await api.query<{ cloneUrl: string }>("project.get", { id: changeSet.projectId });
  expect(await readBranchHead(cloneUrl, changeSet.branch)).toBe(changeSet.headCommit);

  await page.goto("/");
  const merged = page.getByRole("region", { name: "Merged lately" });
  await expect(merged.getByRole("link", { name: sample.title })).toBeVisible();
  await expect(waiting.getByRole("link", { name: sample.title })).toBeHidden();
});

/** By the first admin's link, or by the form where the first admin was here before. */
async function comeIn(page: Page): Promise<void> {
  const link = await findFirstAdminLink(page);
  await page.goto(link === null ? "/sign-in" : `${link.pathname}${link.search}`);
  await page.getByLabel("E-mail", { exact: true }).fill(admin.email);
  if (link !== null) await page.getByLabel("Name", { exact: true }).fill(admin.name);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: link === null ? "Sign in" : "Create the account" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Home");
}

/** The agent's words are there and marked as such, and every line that it changed. */
async function readIt(page: Page): Promise<void> {
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("Its own words. Nobody has checked them.");
  await expect(summary).toContainText("The discount was added to the sum.");
  await expect(page.getByRole("heading", { name: "src/total.ts" })).toBeVisible();
  await expect(linesOf(page, "Old", "src/total.ts")).toContainText("return sum.plus(discount).toFixed(2);");
  await expect(linesOf(page, "New", "src/total.ts")).toContainText("return sum.minus(discount).toFixed(2);");
}

async function approve(page: Page): Promise<void> {
  const dialog = await openFinish(page, "Approve");
  await dialog.getByLabel("Summary").fill("The test that failed says why.");
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Reviews" })).toContainText(
    `${admin.name}approved version 1`,
  );
}

async function merge(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Merge" });
  await expect(dialog).toContainText("The branch moves forward to the approved commit.");
  await dialog.getByRole("button", { name: "Merge into main" }).click();
  await expect(page.getByRole("dialog", { name: "Merged" })).toContainText(admin.name);
  await page.keyboard.press("Escape");
  await expect(page.getByText("This ChangeSet was merged.")).toBeVisible();
}

import type { Locator, Page } from "@playwright/test";
import { makeAgent, proposeFiles } from "./agent";
import { readBranchHead } from "./branch-head";
import { makeProject } from "./proposals";
import { expect, test } from "./session";

/** More stops than any of these pages has. */
const tabsMax = 150;

test("a ChangeSet is found, read, commented on, approved and merged by the keyboard alone", async ({
  page,
  api,
}) => {
  const title = `By keys ${Date.now()}`;
  const projectId = await makeProject(api, "Keyboard", [
    { path: "src/one.ts", content: "export const one = 1;\n" },
    { path: "src/two.ts", content: "export const two = 1;\n" },
  ]);
  const agent = await makeAgent(api, projectId, "keyboard agent");
  const { changeSetId } = await proposeFiles(agent, projectId, {
    title,
    files: { "src/one.ts": "export const one = 1n;\n", "src/two.ts": "export const two = 2;\n" },
  });
  const press = (...keys: string[]) => pressAll(page, keys);

  await page.goto("/");
  const waiting = page.getByRole("region", { name: "Needs your review" });
  await tabTo(page, waiting.getByRole("link", { name: title }).first());
  await press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);

  await press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  for (const label of ["Next file", "Next change", "Mark as viewed and go on", "Finish the review"])
    await expect(help.getByText(label, { exact: true })).toBeVisible();
  await press("Escape");
  await expect(help).toBeHidden();

  await expect(page.getByText("0 of 2 viewed")).toBeVisible();
  await expect(page.getByRole("group", { name: "New lines of src/two.ts" })).toBeVisible();
  await press("n", "n", "n", "c");
  const editor = page.getByRole("textbox", { name: "Your comment" });
  await expect(editor).toBeFocused();
  await page.keyboard.type("Two at last.");
  await press("Control+Enter");
  await expect(page.getByRole("region", { name: /^Thread: src\/\w+\.ts:1/ })).toContainText("Two at last.");
  await press("k", "v");
  await expect(page.getByText("1 of 2 viewed")).toBeVisible();
  await press("v");
  await expect(page.getByText("2 of 2 viewed")).toBeVisible();

  await press("a");
  const finish = page.getByRole("dialog", { name: "Finish the review" });
  await tabTo(page, finish.getByRole("radio", { name: /^Approve/ }));
  await press("ArrowDown");
  await expect(finish.getByRole("radio", { name: /^Request changes/ })).toBeChecked();
  await press("ArrowUp");
  await tabTo(page, finish.getByLabel("Summary"));
  await page.keyboard.type("Read by keys.");
  await tabTo(page, finish.getByRole("button", { name: "Approve", exact: true }));
  await press("Enter");
  await expect(finish).toBeHidden();

  await tabTo(page, page.getByRole("button", { name: "Merge", exact: true }));
  await press("Enter");
  const merge = page.getByRole("button", { name: "Merge into main" });
  await expect(merge).toBeEnabled();
  await tabTo(page, merge);
  await press("Enter");
  await expect(page.getByRole("dialog", { name: "Merged" })).toBeVisible();
  await press("Escape");
  await expect(page.getByText("This ChangeSet was merged.")).toBeVisible();

  const { headCommit } = await api.query<{ headCommit: string }>("changeSet.get", { id: changeSetId });
  const { cloneUrl } = await api.query<{ cloneUrl: string }>("project.get", { id: projectId });
  expect(await readBranchHead(cloneUrl, "main")).toBe(headCommit);
});

async function pressAll(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Goes from stop to stop until this one has the focus, which then can be seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${tabsMax} tabs do not lead to ${target.toString()}`);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

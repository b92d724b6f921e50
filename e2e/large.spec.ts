import type { Page } from "@playwright/test";
import { makeProject, openRun, propose, runInWorkspace } from "./proposals";
import { expect, test, type Api } from "./session";
import { openSettled } from "./settled-page";
import { watchPage } from "./watch-page";

/** Has an agent write files by this JavaScript, and proposes them. */
async function proposeLarge(api: Api, title: string, source: string): Promise<string> {
  const projectId = await makeProject(api, title);
  const { runId } = await openRun(api, projectId, title);
  await runInWorkspace(
    api,
    runId,
    `const { mkdirSync, writeFileSync } = require("node:fs");
    const lines = (count, line) => Array.from({ length: count }, (_, at) => line(at + 1) + "\\n").join("");
    ${source}`,
  );
  return propose(api, runId, { title });
}

const manyLines = `
  for (let folder = 0; folder < 20; folder += 1) {
    mkdirSync("src/part-" + folder, { recursive: true });
    for (let file = 0; file < 50; file += 1) {
      const name = "src/part-" + folder + "/file-" + String(file).padStart(2, "0") + ".ts";
      writeFileSync(name, lines(100, (n) => "export const value" + n + " = " + (folder * 50 + file) * n + ";"));
    }
  }`;

const manyFiles = `
  for (let folder = 0; folder < 100; folder += 1) {
    mkdirSync("many/" + folder, { recursive: true });
    for (let file = 0; file < 100; file += 1) writeFileSync("many/" + folder + "/" + file + ".txt", folder + " " + file + "\\n");
  }`;

const largeFiles = `
  writeFileSync("a-million.txt", "short\\n" + "x".repeat(1024 * 1024) + "\\nafter\\n");
  writeFileSync("b-lines.txt", lines(50_000, (n) => "line " + n));
  writeFileSync("c-huge.txt", lines(12 * 1024 * 64, () => "0123456789abcde"));
  writeFileSync("d-small.txt", "small\\n");`;

/** Gathers how long the page was busy at a stretch. The figures are printed; how fast a machine is decides no test. */
async function measureBusy(page: Page): Promise<(what: string) => Promise<void>> {
  await page.addInitScript(() => {
    const busy: number[] = [];
    Object.assign(window, { busyTimes: busy });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) busy.push(Math.round(duration));
    }).observe({ type: "longtask", buffered: true });
  });
  return async (what) => {
    const times = await page.evaluate(() => {
      const { busyTimes = [] } = window as { busyTimes?: number[] };
      return busyTimes.splice(0);
    });
    const total = times.reduce((sum, time) => sum + time, 0);
    process.stdout.write(
      `  ${what}: ${times.length} long tasks, ${Math.max(0, ...times)} ms the longest, ${total} ms in all\n`,
    );
  };
}

const fileHeading = (page: Page, path: string) =>
  page.getByRole("heading", { level: 3, name: path, exact: true });

/** Goes to a file as a person does who knows its name. */
async function goToFile(page: Page, path: string): Promise<void> {
  const filter = page.getByRole("searchbox", { name: "Filter files by name" });
  await filter.fill(path);
  await page.getByRole("treeitem", { name: path.split("/").at(-1) ?? path }).click();
  await expect(fileHeading(page, path)).toBeVisible();
}

test("a thousand files of a hundred thousand lines can be read from end to end, and commented on", async ({
  page,
  api,
  baseURL,
}) => {
  const id = await proposeLarge(api, "A thousand files", manyLines);
  const { headCommit } = await api.query<{ headCommit: string }>("changeSet.get", { id });
  const place = { path: "src/part-9/file-49.ts", side: "new", startLine: 100, endLine: 100 };
  await api.mutate("comment.create", {
    changeSetId: id,
    headCommit,
    anchor: place,
    body: "The very last line.",
  });
  const faults = watchPage(page, baseURL ?? "");
  const busy = await measureBusy(page);
  await openSettled(page, `/change-sets/${id}`);
  await expect(page.getByText("0 of 1,000 viewed")).toBeVisible();
  await expect(page.getByText("export const value1 = 0;").first()).toBeVisible();
  await busy("1,000 files, opened");

  await page.getByRole("tree", { name: "Files" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(fileHeading(page, place.path)).toBeVisible();
  await expect(page.getByText("export const value3 = 1497;").first()).toBeVisible();
  await busy("1,000 files, at the end");

  await goToFile(page, "src/part-7/file-25.ts");
  await expect(page.getByText("export const value2 = 750;").first()).toBeVisible();
  await page.getByRole("button", { name: "Show all" }).click();
  await busy("1,000 files, a file by its name");

  await page.getByRole("button", { name: /^All threads/ }).click();
  await page.getByRole("dialog").getByText("The very last line.").click();
  await expect(page.getByText("export const value100 = 49900;").first()).toBeVisible();
  await expect(page.getByText("The very last line.").first()).toBeVisible();
  await busy("1,000 files, a thread");
  expect(faults).toEqual([]);
});

test("ten thousand files are a list that can be filtered, and each shows its line", async ({
  page,
  api,
  baseURL,
}) => {
  const id = await proposeLarge(api, "Ten thousand files", manyFiles);
  const faults = watchPage(page, baseURL ?? "");
  const busy = await measureBusy(page);
  await openSettled(page, `/change-sets/${id}`);
  await expect(page.getByText("0 of 10,000 viewed")).toBeVisible();
  await busy("10,000 files, opened");
  await goToFile(page, "many/77/42.txt");
  await expect(page.getByText("77 42").first()).toBeVisible();
  await busy("10,000 files, a file by its name");
  expect(await page.getByRole("treeitem").count()).toBeLessThan(200);
  expect(faults).toEqual([]);
});

test("large files come when they are wanted, and the largest only as a download", async ({
  page,
  api,
  baseURL,
}) => {
  const id = await proposeLarge(api, "Large files", largeFiles);
  const faults = watchPage(page, baseURL ?? "");
  const busy = await measureBusy(page);
  await openSettled(page, `/change-sets/${id}`);
  await expect(fileHeading(page, "a-million.txt")).toBeVisible();
  await busy("large files, opened");

  const open = async (path: string): Promise<void> => {
    await goToFile(page, path);
    const fold = page.getByRole("button", { name: `Open ${path}` });
    if (await fold.isVisible()) await fold.click();
  };
  await open("a-million.txt");
  await page.getByRole("button", { name: "Load the diff" }).click();
  await expect(page.getByText("1,044,577 more characters").first()).toBeVisible();
  await page.getByRole("button", { name: "1 line is cut: show" }).click();
  await expect(page.getByText("948,577 more characters").first()).toBeVisible();
  await busy("a line of 1 MiB");

  await open("b-lines.txt");
  await page.getByRole("button", { name: "Load the diff" }).click();
  await expect(page.getByText("line 2", { exact: true }).first()).toBeVisible();
  await busy("50,000 lines in one file");

  await open("c-huge.txt");
  await expect(page.getByText("too large to be shown here")).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download new" }).click();
  expect((await saved).suggestedFilename()).toBe("c-huge.txt");

  await open("d-small.txt");
  await expect(page.getByText("small", { exact: true }).first()).toBeVisible();
  expect(faults).toEqual([]);
});

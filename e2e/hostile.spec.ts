import type { Page } from "@playwright/test";
import { everyPage, type ShownIds } from "./every-page";
import {
  filesAfter,
  filesBefore,
  hostileFiles,
  hostileOutput,
  hostileText,
  hostileTitle,
  pathsGone,
  ranMark,
  readableOutput,
  type HostileFile,
} from "./hostile-corpus";
import { makeProject, openRun, openTask, propose, runInWorkspace, writing } from "./proposals";
import { expect, test, type Api } from "./session";
import { expectSettled, openSettled } from "./settled-page";
import { watchPage } from "./watch-page";

let hostile: ShownIds = { projectId: "", changeId: "", runId: "", openRunId: "", changeSetId: "" };

test.beforeAll(async ({ api }) => {
  hostile = await makeHostile(api);
});

test.afterAll(async ({ api }) => {
  await api.mutate("workspace.failTask", { runId: hostile.openRunId, reason: hostileText });
});

/** Text on every page that an agent, a repository or a person could write. */
async function makeHostile(api: Api): Promise<ShownIds> {
  const projectId = await makeProject(api, hostileTitle, filesBefore());
  const { changeId, runId } = await openRun(api, projectId, hostileTitle);
  const gone = pathsGone().map((path) => Buffer.from(path).toString("base64"));
  await runInWorkspace(
    api,
    runId,
    `${writing(filesAfter())}
    for (const path of ${JSON.stringify(gone)}) rmSync(bytes(path));
    process.stdout.write(${JSON.stringify(hostileOutput)});
    process.stderr.write(${JSON.stringify(hostileOutput)});`,
  );
  const changeSetId = await propose(api, runId, { title: hostileTitle, summary: hostileText });
  const { headCommit } = await api.query<{ headCommit: string }>("changeSet.get", { id: changeSetId });
  await api.mutate("changeSet.review", {
    id: changeSetId,
    headCommit,
    verdict: "comment",
    summary: hostileText,
    comments: [
      { path: "markup.txt", side: "new", startLine: 1, endLine: 2, body: hostileText },
      { path: "__proto__", body: hostileText },
      { body: hostileText },
    ],
    idempotencyKey: changeSetId,
  });
  await api.mutate("token.create", { role: "agent", label: hostileTitle, projectId });
  const open = await openTask(api, changeId, hostileTitle);
  const intent = { taskId: open.taskId, title: hostileTitle, body: hostileText };
  await api.mutate("intent.declare", intent);
  return { projectId, changeId, runId, changeSetId, openRunId: open.runId };
}

test("nothing that others wrote runs, leaves the page, or turns text on any page", async ({
  page,
  baseURL,
}) => {
  const faults = watchPage(page, baseURL ?? "");
  for (const { path, isPublic } of everyPage(hostile)) {
    if (isPublic === true) continue;
    await openSettled(page, path);
    await expectHarmless(page, path);
  }
  expect(faults).toEqual([]);
});

test("titles are read as they were written", async ({ page }) => {
  const shown = hostileTitle.replace(
    /[\u202E\u202C]/g,
    (character) => `U+${character === "\u202E" ? "202E" : "202C"}`,
  );
  for (const path of [
    `/projects/${hostile.projectId}`,
    `/changes/${hostile.changeId}`,
    `/runs/${hostile.runId}`,
    `/change-sets/${hostile.changeSetId}`,
  ]) {
    await openSettled(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(shown);
  }
});

test("a command of a terminal in a Run's output is text, and the words between them can be read", async ({
  page,
}) => {
  await openSettled(page, `/runs/${hostile.runId}`);
  await page.getByRole("button", { name: /^Show all \d+ lines/ }).click();
  for (const words of readableOutput) {
    await expect(page.getByText(words).first()).toBeAttached();
  }
  await expect(page).toHaveTitle(/Rhumbatron/);
  await expectHarmless(page, "the log");
});

test("a review shows every name and every line as it is, each line under its own name", async ({
  page,
  baseURL,
}) => {
  const faults = watchPage(page, baseURL ?? "");
  await page.setViewportSize({ width: 1280, height: 900 });
  await openSettled(page, `/change-sets/${hostile.changeSetId}`);
  await expect(page.locator("[data-file-header]").first()).toBeVisible();
  const shown = await readWholeReview(page);
  const names = hostileFiles.map(nameOf).toSorted();
  expect([...shown.keys()].toSorted()).toEqual([...new Set(names)]);
  for (const file of hostileFiles) {
    const { shownLines = [] } = file;
    expect([...(shown.get(nameOf(file)) ?? [])], nameOf(file)).toEqual(expect.arrayContaining(shownLines));
  }
  await expectHarmless(page, "the review");
  expect(faults).toEqual([]);
});

test("comments, the history and the plain table show text as text", async ({ page, baseURL }) => {
  const faults = watchPage(page, baseURL ?? "");
  await openSettled(page, `/change-sets/${hostile.changeSetId}`);
  const [firstLine = ""] = hostileText.split("\n");
  for (const [name, words] of [
    [/^All threads/, firstLine],
    [/^History/, "Version 1"],
  ] as const) {
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("dialog").getByText(words).first()).toBeVisible();
    await expectHarmless(page, String(name));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await page.getByRole("searchbox", { name: "Filter files by name" }).fill("markup.txt");
  await page.getByRole("button", { name: "More for markup.txt" }).click();
  await page.getByRole("menuitem", { name: "Show as a plain table" }).click();
  await expect(page.getByRole("dialog").getByRole("cell", { name: firstLine })).toBeVisible();
  await expectHarmless(page, "the plain table");
  expect(faults).toEqual([]);
});

test("every side of every file is a download of its very bytes, which no browser would open", async ({
  page,
}) => {
  const id = hostile.changeSetId;
  const { files } = await createReader(page)<{ files: { path: string }[] }>("changeSet.files", { id });
  expect(files).toHaveLength(hostileFiles.length);
  for (const file of hostileFiles) {
    const path = handleOf(file.path);
    expect(files.map((row) => row.path)).toContain(path);
    for (const [side, content] of [
      ["old", file.before],
      ["new", file.after],
    ] as const) {
      const answer = await page.request.get(rawAddress(id, path, side));
      expect(answer.status(), `${side} of ${path}`).toBe(content === undefined ? 404 : 200);
      const headers = answer.headers();
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      });
      if (content === undefined) continue;
      expect(headers["content-disposition"]).toMatch(
        /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w%.~!$&+^`|-]*$/,
      );
      expect(headers["content-type"]).toBe("application/octet-stream");
      expect((await answer.body()).equals(Buffer.from(content)), `${side} of ${path}`).toBe(true);
    }
  }
});

test("a page and a picture of an agent are saved and not opened", async ({ page }) => {
  await openSettled(page, "/account");
  for (const path of ["page.html", "image.svg"]) {
    const saved = page.waitForEvent("download");
    await page.evaluate(
      (address) => {
        location.href = address;
      },
      rawAddress(hostile.changeSetId, path, "new"),
    );
    expect((await saved).suggestedFilename()).toBe(path);
    await expectHarmless(page, path);
  }
});

function nameOf({ path, shownName }: HostileFile): string {
  return shownName ?? Buffer.from(path).toString("utf8");
}

/** As the contract names a path whose bytes are no text. */
function handleOf(path: string | Buffer): string {
  return typeof path === "string" ? path : `//${path.toString("base64url")}`;
}

function rawAddress(id: string, path: string, side: "old" | "new"): string {
  return `/api/raw/${id}?path=${encodeURIComponent(path)}&side=${side}`;
}

/** Asks the API with the page's own cookie. */
function createReader(page: Page): <Answer>(path: string, input: unknown) => Promise<Answer> {
  return async <Answer>(path: string, input: unknown) => {
    const query = encodeURIComponent(JSON.stringify(input));
    const answer = await page.request.get(`/api/trpc/${path}?input=${query}`);
    return ((await answer.json()) as { result: { data: Answer } }).result.data;
  };
}

/** Scrolls through the review and gathers the added lines by the name above them. */
async function readWholeReview(page: Page): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (let isAtEnd = false; !isAtEnd;) {
    await expectSettled(page);
    for (const { name, lines } of await page.evaluate(readShownFiles)) {
      const known = found.get(name) ?? new Set();
      for (const line of lines) known.add(line);
      found.set(name, known);
    }
    isAtEnd = await page.evaluate(scrollOn);
  }
  return found;
}

function readShownFiles(): { name: string; lines: string[] }[] {
  return [...document.querySelectorAll("[data-file-header]")].map((header) => {
    let host: Element | null = header;
    while (host !== null && host.shadowRoot === null) host = host.parentElement;
    const added = host?.shadowRoot?.querySelectorAll("[data-content] [data-line-type=change-addition]") ?? [];
    return {
      name: header.querySelector("h3")?.textContent ?? "",
      lines: [...added].map((line) => (line.textContent ?? "").replace(/\r?\n$/, "")),
    };
  });
}

/** One step down the list of files; true when there was nothing left. */
function scrollOn(): Promise<boolean> {
  let list: Element | null = document.querySelector("[data-file-header]");
  while (list !== null && list.scrollHeight <= list.clientHeight + 1) list = list.parentElement;
  if (list === null) return Promise.resolve(true);
  const before = list.scrollTop;
  list.scrollTop += list.clientHeight * 0.6;
  const after = list.scrollTop;
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(after === before)));
  });
}

/** No script of others ran, nothing of theirs became an element, and no character turns or hides text. */
async function expectHarmless(page: Page, where: string): Promise<void> {
  const made = page.locator(
    "iframe, object, embed, [onload], [onerror], a[href^='javascript:'], [src*='outside.invalid'], [href*='outside.invalid']",
  );
  await expect(made, where).toHaveCount(0);
  const seen = await page.evaluate(readHidden, ranMark);
  expect(seen, where).toEqual({ ran: false, hidden: [] });
}

function readHidden(mark: string): { ran: boolean; hidden: string[] } {
  const unseen = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
  const hidden: string[] = [];
  const look = (root: Document | ShadowRoot): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
      if (node instanceof Element) {
        if (node.shadowRoot !== null) look(node.shadowRoot);
        const title = node.getAttribute("title") ?? "";
        if (unseen.test(title)) hidden.push(`title ${title}`);
        continue;
      }
      const isDrawn = node.parentElement?.closest("script, style, textarea, template") === null;
      const text = node.nodeValue ?? "";
      if (isDrawn && unseen.test(text)) hidden.push(text.slice(0, 80));
    }
  };
  look(document);
  return { ran: document.documentElement.dataset[mark] !== undefined, hidden };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect, type APIRequestContext, type Browser, type Page } from "@playwright/test";
import { watchPage } from "./watch-page";

/** The people of the stack under test. Which spec runs first does not matter: whoever is not there yet is made. */
export const admin = { email: "ada@example.test", name: "Ada Admin", password: "correct horse battery" };
export const reviewer = { email: "rob@example.test", name: "Rob Reviewer", password: "staple horse battery" };

interface Sessions {
  /** A page in which nobody is signed in. */
  visitorPage: Page;
  /** A page in which the admin is signed in. */
  page: Page;
  /** A page in which a reviewer is signed in. */
  reviewerPage: Page;
  /** Calls the API as the admin token that `stack:up` left. */
  api: Api;
  /** Stops every Sandbox that a test left without a Run, so that the next test finds room for its own. */
  roomForSandboxes: void;
}

/** Calls procedures over HTTP, as any client may. */
export interface Api {
  query<Answer>(path: string, input?: unknown): Promise<Answer>;
  mutate<Answer>(path: string, input?: unknown): Promise<Answer>;
  /** The same under another token. */
  as(token: string): Api;
}

export { expect };

/** Tests of pages behind the sign-in. Whatever a test does, its pages never do what `watchPage` collects. */
export const test = base.extend<Sessions>({
  page: async ({ page, baseURL }, use) => {
    const faults = watchPage(page, baseURL ?? "");
    await signInAsAdmin(page);
    await use(page);
    expect(faults).toEqual([]);
  },
  visitorPage: async ({ browser, baseURL }, use) => {
    await usePageOfItsOwn(browser, baseURL, use);
  },
  reviewerPage: async ({ browser, api, baseURL }, use) => {
    await usePageOfItsOwn(browser, baseURL, async (page) => {
      await signInAsReviewer(page, api);
      await use(page);
    });
  },
  api: async ({ request }, use) => {
    await use(createApi(request, adminToken()));
  },
  roomForSandboxes: [
    async ({ api }, use) => {
      await use();
      const { items } = await api.query<{ items: { id: string; state: string; runs: unknown[] }[] }>(
        "sandbox.list",
      );
      for (const { id, state, runs } of items)
        if (state === "live" && runs.length === 0) await api.mutate("sandbox.stop", { id });
    },
    { auto: true },
  ],
});

/** A page that shares no cookie with the others. */
async function usePageOfItsOwn(
  browser: Browser,
  baseURL: string | undefined,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const faults = watchPage(page, baseURL ?? "");
  await use(page);
  await context.close();
  expect(faults).toEqual([]);
}

/** Signs a page in as the admin, whom the first admin's link makes where there is nobody yet. */
export async function signInAsAdmin(page: Page): Promise<void> {
  const link = await findFirstAdminLink(page);
  if (link === null) await signIn(page, admin);
  else await acceptLink(page, link.searchParams.get("token") ?? "", admin);
}

/** The link that `stack:up` left for the first admin; null where somebody has used it. */
export async function findFirstAdminLink(page: Page): Promise<URL | null> {
  const setup = await page.request.get("/api/trpc/user.getSetup");
  const { result } = (await setup.json()) as { result: { data: { hasPeople: boolean } } };
  return result.data.hasPeople ? null : new URL(readDataFile("first-admin-link"));
}

async function signInAsReviewer(page: Page, api: Api): Promise<void> {
  const { items } = await api.query<{ items: { email: string }[] }>("user.list");
  if (items.some(({ email }) => email === reviewer.email)) {
    await signIn(page, reviewer);
    return;
  }
  const invitation = { email: reviewer.email, role: "reviewer" };
  const { link } = await api.mutate<{ link: string }>("user.invite", invitation);
  await acceptLink(page, link.split("/").at(-1) ?? "", reviewer);
}

async function acceptLink(page: Page, secret: string, person: typeof admin): Promise<void> {
  await expectOk(page, "user.acceptInvitation", { secret, ...person });
}

async function signIn(page: Page, { email, password }: typeof admin): Promise<void> {
  await expectOk(page, "user.signIn", { email, password });
}

/** Calls a procedure that sets the cookie, as the dashboard's own pages do. */
async function expectOk(page: Page, path: string, data: unknown): Promise<void> {
  const answer = await page.request.post(`/api/trpc/${path}`, {
    data,
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

function createApi(request: APIRequestContext, token: string): Api {
  const headers = { authorization: `Bearer ${token}` };
  const read = async <Answer>(answer: Awaited<ReturnType<APIRequestContext["get"]>>): Promise<Answer> => {
    expect(answer.ok(), await answer.text()).toBe(true);
    return ((await answer.json()) as { result: { data: Answer } }).result.data;
  };
  return {
    query: async (path, input = {}) =>
      read(
        await request.get(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, {
          headers,
        }),
      ),
    mutate: async (path, input = {}) =>
      read(await request.post(`/api/trpc/${path}`, { headers, data: input, timeout: 60_000 })),
    as: (other) => createApi(request, other),
  };
}

/** The token that `stack:up` left. */
export function adminToken(): string {
  return readDataFile("admin-token");
}

function readDataFile(name: string): string {
  const content = findDataFile(name);
  if (content === null) throw new Error(`not run: the stack under test has left no ${name}`);
  return content;
}

/** Null where the stack has no such file. */
function findDataFile(name: string): string | null {
  const dataDir = process.env["DATA_DIR"];
  if (dataDir === undefined) throw new Error("not run: DATA_DIR does not say where the stack's files are");
  try {
    return readFileSync(join(dataDir, name), "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

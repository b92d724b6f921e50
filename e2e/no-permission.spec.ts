import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { APIResponse, Page } from "@playwright/test";
import { expect, test } from "./session";

interface Procedure {
  type: "query" | "mutation" | "subscription";
  who: string;
}

const pages = ["general", "egress", "people", "tokens", "audit"];

/** Every procedure, as the schemas that are handed out name it. */
function listProcedures(): [string, Procedure][] {
  const file = join(import.meta.dirname, "..", "docs", "schemas", "api.json");
  const { procedures } = JSON.parse(readFileSync(file, "utf8")) as { procedures: Record<string, Procedure> };
  return Object.entries(procedures);
}

test("a reviewer on an admin's page is told so, and neither the page nor what it loads holds what admins see", async ({
  reviewerPage: page,
  api,
}) => {
  const label = `secret-label-${Date.now()}`;
  const { id, token } = await api.mutate<{ id: string; token: string }>("token.create", {
    role: "reviewer",
    label,
  });
  const bodies: string[] = [];
  const loads: Promise<unknown>[] = [];
  page.on("response", (response) => {
    // Scripts are the same for everybody and hold no data; a stream of events has no end.
    if (["script", "eventsource"].includes(response.request().resourceType())) return;
    loads.push(
      response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      ),
    );
  });
  for (const name of pages) {
    await page.goto(`/settings/${name}`);
    await expect(page.getByText("This is for admins")).toBeVisible();
    await expect(page.getByText("You are signed in as a reviewer.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(0);
    bodies.push(await page.content());
  }
  await page.getByRole("link", { name: "To the start page" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Home");
  await expect(page.getByRole("link", { name: "Settings" })).toHaveCount(0);

  await Promise.all(loads);
  for (const secret of [label, token, "ada@example.test", "RUN_EXPIRE_SECONDS"])
    expect(bodies.filter((body) => body.includes(secret)).map((body) => body.slice(0, 200))).toEqual([]);
  await api.mutate("token.revoke", { id });
});

test("with a reviewer's cookie every procedure of admins and agents is forbidden, whatever it is given", async ({
  reviewerPage: page,
}) => {
  const forbidden = listProcedures().filter(([, { who }]) => who === "admin" || who === "workspace");
  expect(forbidden.length).toBeGreaterThan(20);
  const answers: [string, unknown][] = [];
  for (const [name, { type }] of forbidden) answers.push([name, await codeOf(await call(page, name, type))]);
  expect(answers).toEqual(forbidden.map(([name]) => [name, "auth.forbidden"]));
});

/** As the dashboard's own pages call. */
function call(page: Page, name: string, type: Procedure["type"]): Promise<APIResponse> {
  const headers = { "sec-fetch-site": "same-origin" };
  const path = `/api/trpc/${name}`;
  return type === "mutation"
    ? page.request.post(path, { data: {}, headers })
    : page.request.get(`${path}?input=%7B%7D`, { headers });
}

async function codeOf(answer: APIResponse): Promise<unknown> {
  const body = (await answer.json()) as { error?: { data: { domainCode: string } } };
  return body.error?.data.domainCode;
}

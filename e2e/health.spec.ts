import AxeBuilder from "@axe-core/playwright";
import Docker from "dockerode";
import { expect, test } from "./session";
import { watchPage } from "./watch-page";

const parts = ["Database", "Container engine", "Sandbox image", "Git service", "Egress proxy"];

test("a new installation says that everything works, part by part", async ({ page }) => {
  await page.goto("/health");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything works");
  for (const part of parts) {
    const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: part }) });
    await expect(row).toContainText("Working");
  }
});

test("the page runs under a policy that allows scripts by nonce only, and asks no other host", async ({
  page,
  baseURL,
}) => {
  const faults = watchPage(page, baseURL ?? "");
  const response = await page.goto("/health");
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'(;|$)/);
  expect(policy).toContain("frame-ancestors 'none'");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(faults).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`at ${width} px in ${colorScheme} nothing is cut off and axe finds nothing`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/health");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    });
  }
}

test("an address that does not exist says so and leads back", async ({ page }) => {
  expect((await page.goto("/nowhere"))?.status()).toBe(404);
  await page.getByRole("link", { name: "To the start page" }).click();
  await expect(page).toHaveURL("/");
});

test("a part that stops is shown with what to do, and again as working once it is back", async ({ page }) => {
  const egress = await findServiceContainer("egress");
  await page.goto("/health");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything works");
  await egress.stop({ t: 1 });
  try {
    const row = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: "Egress proxy" }) });
    await expect(row).toContainText("Down");
    await expect(row).toContainText("npm run stack:up");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 of 5 parts need a hand");
  } finally {
    await egress.start();
  }
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything works");
});

async function findServiceContainer(purpose: string): Promise<Docker.Container> {
  const engine = new Docker({ socketPath: process.env["TEST_ENGINE_SOCKET"] ?? "/var/run/docker.sock" });
  const instance = process.env["E2E_INSTANCE"] ?? "";
  const label = [`rhumbatron.instance=${instance}`, `rhumbatron.purpose=${purpose}`];
  const [found] = await engine.listContainers({ all: true, filters: { label } });
  if (found === undefined) throw new Error(`not run: the stack under test has no ${purpose} container`);
  return engine.getContainer(found.Id);
}

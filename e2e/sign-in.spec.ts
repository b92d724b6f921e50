import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { admin, expect, test } from "./session";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
}

async function signInByForm(page: Page, password = admin.password): Promise<void> {
  await fillIn(page, { "E-mail": admin.email.toUpperCase(), Password: password });
  await button(page, "Sign in").click();
}

test("a page asks for a sign-in first and opens after it", async ({ page }) => {
  await page.context().clearCookies();
  await page.goto("/usage?month=2026-01");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fusage%3Fmonth%3D2026-01$/);
  await signInByForm(page);
  await expect(page).toHaveURL(/\/usage\?month=2026-01$/);
});

test("the way back never leads to another host", async ({ page, baseURL }) => {
  await page.context().clearCookies();
  await page.goto("/sign-in?next=//evil.test/");
  await signInByForm(page);
  await expect(page).toHaveURL(`${baseURL ?? ""}/`);
});

test("a wrong password and an unknown address are told apart by nothing", async ({ page }) => {
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await signInByForm(page, "not the password");
  const alert = page.getByRole("alert").filter({ hasText: "E-mail" });
  await expect(alert).toBeVisible();
  const wrongPassword = await alert.textContent();
  await page.goto("/sign-in");
  await fillIn(page, { "E-mail": "nobody@example.test", Password: "not the password" });
  await button(page, "Sign in").click();
  await expect(alert).toHaveText(wrongPassword ?? "");
});

test("an invited reviewer comes in by a link that works once, and admin pages say that they are not for reviewers", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = `guest-${Date.now()}@example.test`;
  await page.goto("/settings/people");
  await button(page, "Invite").click();
  await page.getByRole("dialog").getByLabel("E-mail").fill(email);
  await button(page, "Make the link").click();
  const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  await button(page, "Done").click();

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const guest = await context.newPage();
  const { pathname } = new URL(link);
  await guest.goto(pathname);
  await expect(guest.getByLabel("E-mail", { exact: true })).toHaveValue(email);
  await fillIn(guest, { Name: "Grace Guest", Password: "a long enough password" });
  await button(guest, "Create the account").click();
  await expect(guest).toHaveURL(`${baseURL ?? ""}/`);

  await guest.goto("/settings/people");
  await expect(guest.getByText("This is for admins")).toBeVisible();
  await guest.goto(pathname);
  await expect(guest.getByText(/unknown, was used, or has expired/)).toBeVisible();

  await page.reload();
  const row = page.getByRole("listitem").filter({ hasText: email }).first();
  await row.getByRole("button", { name: "Disable Grace Guest" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(row).toContainText("disabled");
  await guest.goto("/");
  await expect(guest).toHaveURL(/\/sign-in/);
  await context.close();
});

test("a browser that is signed out from afar asks for the password again", async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const other = await context.newPage();
  await other.goto("/sign-in");
  await signInByForm(other);
  await expect(other).toHaveURL(`${baseURL ?? ""}/`);

  await page.goto("/account");
  const panel = page.getByRole("region", { name: "Signed in at" });
  await expect(panel.getByText("this one")).toBeVisible();
  // The newest stands first, which is the one that signed in last.
  const signOuts = panel.getByRole("button", { name: "Sign out" });
  const before = await signOuts.count();
  await signOuts.first().click();
  await expect(signOuts).toHaveCount(before - 1);
  await other.goto("/usage");
  await expect(other).toHaveURL(/\/sign-in\?next=%2Fusage$/);
  await context.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`signing in is accessible and fits the smallest width in the ${colorScheme} scheme`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 640 });
    for (const path of ["/account", "/settings/people", "/settings/tokens"]) {
      await page.goto(path);
      await expectCleanPage(page);
    }
    await page.context().clearCookies();
    await page.goto("/sign-in");
    await expectCleanPage(page);
  });
}

async function expectCleanPage(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

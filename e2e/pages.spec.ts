import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { everyPage, routes, type ShownIds } from "./every-page";
import { endSample, makeSample, type Sample } from "./sample";
import { expect, test } from "./session";
import { expectSettled, openSettled } from "./settled-page";
import { watchPage } from "./watch-page";

const unmade: ShownIds = { projectId: "", changeId: "", runId: "", openRunId: "", changeSetId: "" };
let sample: Sample;

test.beforeAll(async ({ api }) => {
  sample = await makeSample(api);
});

test.afterAll(async ({ api }) => {
  await endSample(api, sample);
});

test("every address that the dashboard answers is among the pages that are looked at", () => {
  const ids = { projectId: "1", changeId: "2", runId: "3", openRunId: "4", changeSetId: "5" };
  const paths = everyPage(ids).map(({ path }) => path);
  const missing = routes().filter(({ pattern }) => !paths.some((path) => pattern.test(path)));
  expect(missing.map(({ route }) => route)).toEqual([]);
});

for (const { name } of everyPage(unmade)) {
  test(`${name}: axe finds nothing, nothing is cut off, and nothing leaves the page, light and dark, wide and narrow`, async ({
    page,
    baseURL,
  }) => {
    const address = everyPage(sample).find((other) => other.name === name);
    if (address === undefined) throw new Error(`there is no page ${name}`);
    const faults = watchPage(page, baseURL ?? "");
    if (address.isPublic === true) await page.context().clearCookies();
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await openSettled(page, address.path);
      await expect(page).toHaveTitle(/Rhumbatron/);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectSettled(page);
        await expectClean(page, colorScheme, width);
      }
    }
    expect(faults).toEqual([]);
  });
}

/** Between the schemes only colours differ, so the dark one is asked for those alone. */
async function expectClean(page: Page, colorScheme: "light" | "dark", width: number): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (colorScheme === "dark" ? axe.withRules("color-contrast") : axe).analyze();
  const when = `${width} px, ${colorScheme}`;
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    when,
  ).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `how much is cut off at the side, ${when}`).toBeLessThanOrEqual(0);
}

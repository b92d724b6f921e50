import { join } from "node:path";
import type { Page } from "@playwright/test";
import { everyPage, type PageAddress } from "./every-page";
import { approveAndMerge } from "./proposals";
import { openFinish } from "./review-page";
import { endSample, makeSample, type Sample } from "./sample";
import { expect, test } from "./session";
import { openSettled } from "./settled-page";

/** A page in one of its states. */
interface Picture extends PageAddress {
  /** Brings the page into its state. */
  act?: (page: Page) => Promise<unknown>;
  isReviewer?: boolean;
}

const folder = process.env["SCREENSHOT_FOLDER"] ?? "screenshots";
let sample: Sample;

test.beforeAll(async ({ api }) => {
  sample = await makeSample(api);
  await approveAndMerge(api, sample.secondChangeSetId);
});

test.afterAll(async ({ api }) => {
  await endSample(api, sample);
});

for (const width of [1280, 360]) {
  test(`every page at ${width} px`, async ({ page, reviewerPage }) => {
    for (const who of [page, reviewerPage]) {
      await who.emulateMedia({ reducedMotion: "reduce" });
      await who.setViewportSize({ width, height: 900 });
    }
    const pictures: Picture[] = [...everyPage(sample), ...states(width)];
    for (const picture of pictures.toSorted(
      (one, other) => Number(one.isPublic === true) - Number(other.isPublic === true),
    ))
      await take(picture, picture.isReviewer === true ? reviewerPage : page, width);
  });
}

async function take({ name, path, act, isPublic }: Picture, page: Page, width: number): Promise<void> {
  if (isPublic === true) await page.context().clearCookies();
  await openSettled(page, path);
  if (path.startsWith("/change-sets/") && !name.endsWith("absent"))
    await expect(page.locator("[data-file-header]").first()).toBeVisible();
  await act?.(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  }
}

/** What pages are like after somebody acted on them. */
function states(width: number): Picture[] {
  const review = `/change-sets/${sample.changeSetId}`;
  const press = (name: RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
  const pictures: Picture[] = [
    { name: "change-set-merged", path: `/change-sets/${sample.secondChangeSetId}` },
    { name: "change-set-finish", path: review, act: (page) => openFinish(page, "Request changes") },
    { name: "change-set-threads", path: review, act: press(/^All threads/) },
    { name: "change-set-history", path: review, act: press(/^History/) },
    { name: "change-set-view", path: review, act: press(/^View/) },
    { name: "change-set-lines", path: review, act: (page) => page.keyboard.press("n") },
    { name: "keys", path: review, act: (page) => page.keyboard.press("?") },
    { name: "project-new", path: "/projects", act: press(/^New Project/) },
    { name: "no-permission", path: "/settings/tokens", isReviewer: true },
  ];
  const drawer = { name: "change-set-files", path: review, act: press(/files/i) };
  return width < 600 ? [...pictures, drawer] : pictures;
}

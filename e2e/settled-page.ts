import type { Page } from "@playwright/test";
import { expect } from "./session";

/** Opens a page and waits until it has its heading and nothing of it is still being loaded. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expectSettled(page);
}

export async function expectSettled(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

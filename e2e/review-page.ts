import type { Locator, Page } from "@playwright/test";
import { expect } from "./session";

/** The lines of one side of a file in the split diff. */
export function linesOf(page: Page, side: "Old" | "New", path: string): Locator {
  return page.getByRole("group", { name: `${side} lines of ${path}` });
}

/** Chooses a line by its number, as a click in the margin does, and opens the editor of a comment on it. */
export async function beginComment(page: Page, path: string, line: number): Promise<Locator> {
  await linesOf(page, "New", path).getByText(String(line), { exact: true }).first().click();
  await page.keyboard.press("c");
  const editor = page.getByRole("textbox", { name: "Your comment" });
  await expect(editor).toBeFocused();
  return editor;
}

/** The conversation at this place, named by the lines that it was begun at. */
export function threadAt(page: Page, place: string): Locator {
  return page.getByRole("region", { name: `Thread: ${place}` });
}

/** Opens the dialog that a review ends with and chooses what it says. */
export async function openFinish(page: Page, verdict: string): Promise<Locator> {
  await page.getByRole("button", { name: /^(Finish review|Review again)/ }).click();
  const dialog = page.getByRole("dialog", { name: "Finish the review" });
  await dialog.getByRole("radio", { name: new RegExp(`^${verdict}`) }).check();
  return dialog;
}

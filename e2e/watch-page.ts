import type { Page } from "@playwright/test";

/** Collects what a page must never do: ask another host, break its own policy, throw, or open a dialog of the browser. */
export function watchPage(page: Page, baseUrl: string): string[] {
  const faults: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== new URL(baseUrl).origin)
      faults.push(`asked ${url.origin}`);
  });
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", (dialog) => {
    faults.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return faults;
}

import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Debian's Chromium where it is installed; elsewhere the browser that Playwright itself installed. */
const debianChromium = "/usr/bin/chromium";

/** Keeps the browser from asking anybody else for anything, and lets it run as root in a container. */
const quietArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "e2e",
  // The journeys stop and start parts of one stack.
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter:
    process.env["E2E_JSON_FILE"] === undefined
      ? "list"
      : [["list"], ["json", { outputFile: process.env["E2E_JSON_FILE"] }]],
  use: {
    baseURL: process.env["E2E_BASE_URL"] ?? "http://localhost:3000",
    trace: "retain-on-failure",
    launchOptions: {
      args: quietArguments,
      ...(existsSync(debianChromium) ? { executablePath: debianChromium } : {}),
    },
  },
});

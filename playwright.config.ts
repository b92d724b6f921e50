import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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

const baseURL = process.env["E2E_BASE_URL"] ?? "http://localhost:3000";

/** As root on Linux the browser gets a network of its own; e2e/browser says why. Workers read these from the first process. */
const isApart = existsSync(debianChromium) && process.getuid?.() === 0;
if (isApart) {
  process.env["E2E_DOOR"] ??= join(tmpdir(), `rhumbatron-e2e-${String(process.pid)}.sock`);
  process.env["E2E_PORT"] ??= new URL(baseURL).port;
}
const executablePath = isApart ? resolve("e2e/browser/chromium-apart.sh") : debianChromium;

const firstStart = "first-change-set.spec.ts";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/browser/open-door.ts",
  // What somebody sees first can be seen only on a stack that nothing was done on; the other journeys take any order.
  projects: [
    { name: "first start", testMatch: firstStart },
    { name: "journeys", testIgnore: firstStart },
  ],
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
    baseURL,
    trace: "retain-on-failure",
    launchOptions: {
      args: quietArguments,
      ...(existsSync(debianChromium) ? { executablePath } : {}),
    },
  },
});

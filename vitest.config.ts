import { defineConfig } from "vitest/config";

const shared = { resolve: { alias: { "@": import.meta.dirname } } };

const onRealParts = (name: "int" | "engine" | "soak", testTimeout: number) => ({
  name,
  include: [`{server,sandbox-image,scripts}/**/*.${name}.test.ts`],
  exclude: ["**/node_modules/**"],
  testTimeout,
  hookTimeout: 240_000,
});

/** Tests of Sandboxes, one file after the other: each has an engine's worth of containers, on a machine of two cores. */
const onEngine = (name: "engine" | "soak", testTimeout: number) => ({
  ...shared,
  test: {
    ...onRealParts(name, testTimeout),
    fileParallelism: false,
    globalSetup: ["server/testing/engine-setup.ts"],
    // After the files that may run beside each other, so that none of those takes a core from it.
    sequence: { groupOrder: 1 },
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
          exclude: ["**/*.{int,engine,soak}.test.ts", "**/node_modules/**"],
          env: { TZ: "Asia/Kathmandu" },
        },
      },
      // A real database and real git, each file with its own.
      { ...shared, test: { ...onRealParts("int", 120_000), maxWorkers: 2 } },
      onEngine("engine", 120_000),
      onEngine("soak", 3_600_000),
    ],
  },
});

import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as schemas from "./schema";

const runId = "0a1b2c3d-0000-4000-8000-000000000001";

/** One input that each schema takes, with nothing that is optional. */
const least = {
  openWorkspaceInput: { taskId: runId },
  runInput: { runId },
  listFilesInput: { runId },
  readFileInput: { runId, path: "a" },
  writeFileInput: { runId, path: "a", content: "" },
  editFileInput: { runId, path: "a", oldText: "a", newText: "" },
  deleteFileInput: { runId, path: "a" },
  runCommandInput: { runId, command: "" },
  waitCommandInput: { runId, commandId: runId },
  completeTaskInput: { runId, title: "t", summary: "" },
  failTaskInput: { runId, reason: "r" },
} as const;

const inputNames = Object.keys(least) as (keyof typeof least)[];
const isTaken = (name: keyof typeof least, input: unknown) => schemas[name].safeParse(input).success;

describe.each(inputNames)("%s", (name) => {
  it("takes the least that the contract asks for", () => {
    expect(isTaken(name, least[name])).toBe(true);
  });

  it("refuses fields that nobody named, prototypes and other shapes", () => {
    expect(isTaken(name, { ...least[name], more: 1 })).toBe(false);
    expect(isTaken(name, JSON.parse(`{"__proto__":{"admin":true}}`))).toBe(false);
    for (const input of [null, undefined, [], "x", 3, {}, [least[name]]])
      expect(isTaken(name, input)).toBe(false);
  });

  it.each(Object.keys(least[name]))("refuses operators and other types for %s", (field) => {
    for (const value of [{ not: "" }, ["a"], null, NaN, true, 3]) {
      expect(isTaken(name, { ...least[name], [field]: value })).toBe(false);
    }
  });

  it("has a JSON Schema that closes its objects", () => {
    expect(z.toJSONSchema(schemas[name], { io: "input" })).toMatchObject({ additionalProperties: false });
  });
});

it("defaults are those of the contract", () => {
  expect(schemas.listFilesInput.parse(least.listFilesInput)).toMatchObject({
    path: ".",
    depth: 1,
    includeIgnored: false,
  });
  expect(schemas.writeFileInput.parse(least.writeFileInput)).toMatchObject({ encoding: "utf8" });
  expect(schemas.editFileInput.parse(least.editFileInput)).toMatchObject({ replaceAll: false });
  expect(schemas.deleteFileInput.parse(least.deleteFileInput)).toMatchObject({ recursive: false });
  expect(schemas.runCommandInput.parse(least.runCommandInput)).toMatchObject({
    timeoutMs: 120_000,
    waitMs: 45_000,
  });
});

it.each([
  ["readFileInput", "startLine"],
  ["readFileInput", "endLine"],
  ["readFileInput", "maxBytes"],
  ["listFilesInput", "limit"],
  ["listFilesInput", "depth"],
  ["runCommandInput", "timeoutMs"],
  ["runCommandInput", "waitMs"],
  ["waitCommandInput", "waitMs"],
] as const)("%s takes no odd number for %s", (name, field) => {
  for (const value of [-1, 0.5, NaN, Infinity, -Infinity, 1e308, Number.MAX_SAFE_INTEGER, "1", null]) {
    expect(isTaken(name, { ...least[name], [field]: value })).toBe(false);
  }
  expect(isTaken(name, { ...least[name], [field]: 1 })).toBe(true);
});

it("bounds every text", () => {
  expect(isTaken("readFileInput", { runId, path: "a".repeat(4_097) })).toBe(false);
  expect(isTaken("readFileInput", { runId, path: "" })).toBe(false);
  expect(isTaken("writeFileInput", { ...least.writeFileInput, content: "a".repeat(13_981_017) })).toBe(false);
  expect(isTaken("writeFileInput", { ...least.writeFileInput, content: "a".repeat(13_981_016) })).toBe(true);
  expect(isTaken("editFileInput", { ...least.editFileInput, oldText: "" })).toBe(false);
  expect(isTaken("runCommandInput", { runId, command: "a".repeat(1_048_577) })).toBe(false);
  expect(isTaken("runCommandInput", { runId, command: "ls", timeoutMs: 1_800_001 })).toBe(false);
  expect(isTaken("completeTaskInput", { ...least.completeTaskInput, title: " " })).toBe(false);
  expect(isTaken("completeTaskInput", { ...least.completeTaskInput, summary: "a".repeat(10_000_000) })).toBe(
    false,
  );
  expect(isTaken("failTaskInput", { runId, reason: "" })).toBe(false);
  expect(isTaken("openWorkspaceInput", { taskId: runId.toUpperCase() })).toBe(false);
  expect(isTaken("writeFileInput", { ...least.writeFileInput, expectedSha256: "A".repeat(64) })).toBe(false);
});

it("lines are asked for in their order", () => {
  expect(isTaken("readFileInput", { runId, path: "a", startLine: 5, endLine: 4 })).toBe(false);
  expect(isTaken("readFileInput", { runId, path: "a", startLine: 5, endLine: 5 })).toBe(true);
});

const output = { text: "", totalBytes: 0, truncated: false };
const started = { commandId: runId, argv: ["bun", "test"], stdout: output, stderr: output };

it.each([
  { ...started, status: "exited", exitCode: 0, signal: null, durationMs: 1 },
  { ...started, status: "exited", exitCode: null, signal: "SIGKILL", durationMs: 1 },
  { ...started, status: "timed_out", exitCode: null, signal: "SIGTERM", durationMs: 120_000 },
  { ...started, status: "running" },
  { ...started, status: "interrupted", reason: "sandbox_gone", message: "gone" },
  { status: "rejected", reason: "option", message: "no", allowed: ["bun test"] },
])("a command's result is told apart by its status: $status", (result) => {
  expect(schemas.commandResult.parse(result)).toEqual(result);
  expect(schemas.commandResult.safeParse({ ...result, status: "done" }).success).toBe(false);
});

it("every result has a JSON Schema", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    expect(z.toJSONSchema(schema), name).toHaveProperty("$schema");
  }
});

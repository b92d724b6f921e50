import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Db } from "../../platform/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database";
import { insertRun, insertTask } from "../../testing/run-rows";
import { createCommandStore, type CommandStore } from "../commands/store";
import { searchRun, type RunMatch } from "./search";
import { createRunStore, type RunStore } from "./store";

const at = new Date("2026-01-15T12:00:00.000Z");
let database: TestDatabase;
let db: Db;
let stores: { runs: RunStore; commands: CommandStore };
let runId: string;
let commandId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
  stores = { runs: createRunStore(db), commands: createCommandStore(db) };
});

beforeEach(async () => {
  runId = await insertRun(db, await insertTask(db));
  commandId = randomUUID();
  const spec = { timeoutMs: 1, isExclusive: true, at, followedUntil: at };
  await stores.commands.start({ id: commandId, runId, text: "bun test", argv: ["bun", "test"], ...spec });
  await append("command", { commandId, status: "running", command: "bun test" });
});

afterAll(() => database.drop());

const append = (kind: "tool" | "command" | "output", data: Record<string, string | number>) =>
  stores.runs.appendEvent(runId, { kind, at, data });

async function write(text: string | Uint8Array, stream: "stdout" | "stderr" = "stdout"): Promise<number> {
  const command = await stores.commands.find(runId, commandId);
  const offset = (stream === "stdout" ? command?.stdoutKeptBytes : command?.stderrKeptBytes) ?? 0;
  const bytes = Buffer.from(text);
  await stores.commands.appendOutput(commandId, { stream, offset, bytes });
  return append("output", { commandId, stream, offset, byteCount: bytes.length });
}

async function findAll(text: string, limit = 50): Promise<RunMatch[]> {
  const items: RunMatch[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = await searchRun(stores, { runId, text, after, limit });
    items.push(...page.items);
    after = page.nextAfter;
  }
  return items;
}

it("finds what stands in events and in either stream, in order, with the command that wrote it", async () => {
  await append("tool", { tool: "write_file", path: "src/needle.ts" });
  await write("hay\na Needle here\n");
  await write("one more needle\n", "stderr");
  const told = (await findAll("needle")).map(({ kind, commandId: by, excerpts }) => [kind, by, excerpts]);
  expect(told).toEqual([
    ["tool", null, ["src/needle.ts"]],
    ["output", commandId, ["a Needle here"]],
    ["output", commandId, ["one more needle"]],
  ]);
});

it("finds a text that two pieces of a stream share, and tells what lies in one piece once", async () => {
  await write("whole needle, nee");
  await write("between the two", "stderr");
  const seq = await write("dle in two\n");
  expect(await findAll("needle")).toMatchObject([
    { excerpts: ["whole needle, nee"], matchCount: 1 },
    { seq, excerpts: ["whole needle, needle in two"], matchCount: 1 },
  ]);
});

it("a lead that is cut inside a character spoils nothing", async () => {
  await write("☕".repeat(300));
  await write("☕ needle ☕");
  expect(await findAll("☕ needle")).toMatchObject([{ matchCount: 1 }]);
});

it("a long log is looked through in calls that are each bounded, found text or not", async () => {
  const piece = `${"x".repeat(256 * 1024 - 1)}\n`;
  for (let n = 0; n < 20; n++) await write(piece);
  await write("needle\n");
  const first = await searchRun(stores, { runId, text: "needle", after: 0, limit: 50 });
  expect(first.items).toEqual([]);
  expect(first.nextAfter).toBe(17);
  expect(await findAll("needle")).toHaveLength(1);
});

it("pages neither repeat nor lose a match", async () => {
  for (let n = 0; n < 250; n++) await append("tool", { tool: "write_file", path: `needle-${n}` });
  const paths = (await findAll("needle-", 7)).flatMap(({ excerpts }) => excerpts);
  expect(paths).toEqual(Array.from({ length: 250 }, (_, n) => `needle-${n}`));
});

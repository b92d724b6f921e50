import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTransactions, type Db, type RunInTransaction } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { actorOf } from "../testing/actor-of";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { createSettingsService, type SettingsService } from "./service";
import { createSettingStore } from "./store";

let database: TestDatabase;
let db: Db;
let transaction: RunInTransaction;
let settings: SettingsService;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
  transaction = createTransactions(db);
  settings = createSettingsService({
    store: createSettingStore(db),
    ids: createSystemIds(),
    environment: [
      { name: "SANDBOX_MAX", value: "4", source: "default" },
      { name: "PORT", value: "80", source: "environment" },
    ],
  });
});
afterAll(() => database.drop());

const actor = actorOf(randomUUID());
const at = new Date("2026-01-15T12:00:00.000Z");
const set = (key: string, value: number | null, expected: number | null): Promise<void> =>
  transaction((tx) =>
    settings.set(tx, {
      key,
      value,
      isExpected: (stored) => stored === expected,
      actor,
      action: "setting.set",
      at,
    }),
  );

it("a setting is null until it is set, and again when it is given back", async () => {
  expect(await settings.get("a")).toBeNull();
  await set("a", 5, null);
  expect(await settings.get("a")).toBe(5);
  await set("a", null, 5);
  expect(await settings.get("a")).toBeNull();
});

it("a list says where each value comes from, and shows an admin's before the environment's", async () => {
  await set("port", 8080, null);
  expect(await settings.list()).toEqual([
    { name: "SANDBOX_MAX", value: "4", source: "default" },
    { name: "PORT", value: "8080", source: "setting" },
  ]);
});

it("of many who saw the same value one changes it, and the others are told that it is stale", async () => {
  await set("b", 0, null);
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => set("b", n + 1, 0)));
  expect(attempts.filter(({ status }) => status === "fulfilled").length).toBe(1);
  for (const attempt of attempts) {
    if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ code: "conflict.stale" });
  }
  expect(await db.auditEntry.count({ where: { subject: "b" } })).toBe(2);
});

it("a change and its audit entry stand or fall together", async () => {
  await expect(
    transaction(async (tx) => {
      const change = { key: "c", value: 1, isExpected: () => true, actor, action: "setting.set", at };
      await settings.set(tx, change);
      throw new Error("crashed");
    }),
  ).rejects.toThrow("crashed");
  expect(await settings.get("c")).toBeNull();
  expect(await db.auditEntry.count({ where: { subject: "c" } })).toBe(0);
});

it("the audit is listed newest first, page by page without a gap or a repeat within one millisecond", async () => {
  for (let n = 0; n < 9; n++) {
    await transaction((tx) =>
      settings.appendAudit(tx, { at, actor: null, action: "x", subject: `s\0${n}`, data: { n } }),
    );
  }
  const seen: string[] = [];
  for (let after: string | null = null; ;) {
    const page = await settings.listAudit({ subject: null, text: null, after, limit: 4 });
    seen.push(...page.map(({ id }) => id));
    if (page.length < 4) break;
    after = page.at(-1)?.id ?? null;
  }
  expect(new Set(seen).size).toBe(await db.auditEntry.count());
  expect(seen.length).toBe(new Set(seen).size);
  const [newest] = await settings.listAudit({ subject: null, text: null, after: null, limit: 1 });
  expect(newest?.subject).not.toContain("\0");
  const byName = {
    subject: newest?.subject.replace("\u2400", "\0") ?? "",
    text: null,
    after: null,
    limit: 1,
  };
  expect((await settings.listAudit(byName)).map(({ id }) => id)).toEqual([newest?.id]);
});

it("the audit is searched whole, in names, acts, subjects and data, and what is typed is no pattern", async () => {
  const note = (action: string, subject: string, data: { [key: string]: string }): Promise<void> =>
    transaction((tx) => settings.appendAudit(tx, { at, actor, action, subject, data }));
  await note("audit.first", "Größe_1", { host: "needle.example" });
  await note("audit.second", "GrößeX1", { host: "100 % sure" });
  const find = async (text: string): Promise<string[]> =>
    (await settings.listAudit({ subject: null, text, after: null, limit: 50 })).map(({ action }) => action);
  expect(await find("NEEDLE.ex")).toEqual(["audit.first"]);
  expect(await find("größe_")).toEqual(["audit.first"]);
  expect(await find("100 %")).toEqual(["audit.second"]);
  expect(await find("Audit.")).toHaveLength(2);
  expect(await find(actor.name)).toEqual(expect.arrayContaining(["audit.first", "audit.second"]));
  expect(await find("nowhere\0")).toEqual([]);
  const first = await settings.listAudit({ subject: null, text: "audit.", after: null, limit: 1 });
  const after = first[0]?.id ?? null;
  const rest = await settings.listAudit({ subject: null, text: "audit.", after, limit: 5 });
  expect([...first, ...rest].map(({ action }) => action).sort()).toEqual(["audit.first", "audit.second"]);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccess, type Access } from "../../access/service";
import { createTokenStore } from "../../access/store";
import { createEvents } from "../../events/service";
import { createEventStore } from "../../events/store";
import { createSystemClock } from "../../platform/clock";
import { createTransactions, type Db } from "../../platform/db";
import { createSystemIds } from "../../platform/ids";
import { createSettingsService } from "../../settings/service";
import { createSettingStore } from "../../settings/store";
import { accessDeps } from "../../testing/access-deps";
import { createTestDatabase, type TestDatabase } from "../../testing/database";
import { createFakeApi } from "../../testing/fake-api";
import { clearMeter, createMeterProcess, type MeterProcess } from "../../testing/meter-world";
import type { ApiDeps } from "../context";
import { apiPath, handleApiRequest } from "../http-handler";

const clock = createSystemClock();
const ids = createSystemIds();

let database: TestDatabase;
let db: Db;
let access: Access;
let deps: ApiDeps;
let process: MeterProcess;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
  projectId = await createProject();
  access = createAccess(accessDeps({ store: createTokenStore(db), clock, ids }));
  process = createMeterProcess({ db, clock, environmentCapSeconds: 72_000 });
  deps = {
    ...createFakeApi().deps,
    access,
    meter: process.meter,
    events: createEvents({ store: createEventStore(db), clock, ids }),
    adminSettings: createSettingsService({
      store: createSettingStore(db),
      ids,
      environment: [{ name: "SANDBOX_MONTHLY_SECONDS", value: "72000", source: "environment" }],
    }),
  };
});
afterAll(() => database.drop());
beforeEach(() => clearMeter(db));

async function createProject(): Promise<string> {
  const id = randomUUID();
  const now = clock.now();
  await db.project.create({
    data: { id, name: "p", defaultBranch: "main", state: "ready", createdAt: now },
  });
  return id;
}

async function tokenFor(role: "admin" | "reviewer" | "agent"): Promise<string> {
  const token = { role, label: role, changeId: null, expiresAt: null };
  return (await access.createToken({ ...token, projectId: role === "agent" ? projectId : null }, null)).token;
}

function send(token: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...init.headers };
  return handleApiRequest(new Request(`http://x.test${apiPath}/${path}`, { ...init, headers }), deps);
}

async function query(token: string, path: string, input?: unknown): Promise<unknown> {
  const suffix = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  return answerOf(await send(token, `${path}${suffix}`));
}

async function mutate(token: string, path: string, input: unknown): Promise<unknown> {
  return answerOf(await send(token, path, { method: "POST", body: JSON.stringify(input) }));
}

/** The result, or the code of the error. */
async function answerOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as {
    result?: { data: unknown };
    error?: { data: { domainCode: string } };
  };
  return body.result?.data ?? body.error?.data.domainCode;
}

const appendEvent = (project: string | null, number: number): Promise<string> =>
  createTransactions(db)((tx) =>
    createEvents({ store: createEventStore(db), clock, ids }).append(tx, {
      type: "workspace.opened",
      at: clock.now(),
      projectId: project,
      changeId: null,
      data: { number },
    }),
  );

describe("usage", () => {
  it("is shown to everybody, with the cap and where it comes from", async () => {
    await process.reserve({ now: clock.now() });
    for (const role of ["admin", "reviewer", "agent"] as const) {
      expect(await query(await tokenFor(role), "usage.current")).toEqual({
        month: clock.now().toISOString().slice(0, 7),
        capSeconds: 72_000,
        capSource: "environment",
        usedSeconds: 0,
        reservedSeconds: 300,
        remainingSeconds: 71_700,
      });
    }
    const admin = await tokenFor("admin");
    expect(await query(admin, "usage.current", { month: "2020-02" })).toMatchObject({ usedSeconds: 0 });
    for (const month of ["2020-13", "2020", ""]) {
      expect(await query(admin, "usage.current", { month })).toBe("input.invalid");
    }
  });

  it("is listed by month and by session, page by page, for those who review", async () => {
    const token = await tokenFor("reviewer");
    const months = ["2026-01-10", "2026-02-10", "2026-03-10"].map((day) => new Date(`${day}T00:00:00Z`));
    const made: string[] = [];
    for (const now of months) {
      const { sessionId } = await process.reserve({ now });
      await process.transaction((tx) => process.meter.open(tx, { sessionId, now }));
      await process.transaction((tx) => process.meter.settle(tx, { sessionId, now, idleSince: null }));
      made.unshift(sessionId);
    }
    expect(await query(token, "usage.history", { limit: 2 })).toEqual({
      items: [
        { month: "2026-03", usedSeconds: 120, reservedSeconds: 0 },
        { month: "2026-02", usedSeconds: 120, reservedSeconds: 0 },
      ],
      nextCursor: "2026-02",
    });
    expect(await query(token, "usage.history", { limit: 2, cursor: "2026-02" })).toMatchObject({
      items: [{ month: "2026-01" }],
      nextCursor: null,
    });
    expect(await query(token, "usage.sessions", { limit: 2 })).toMatchObject({
      items: [
        {
          id: made[0],
          state: "settled",
          openedAt: "2026-03-10T00:00:00.000Z",
          wallSeconds: 0,
          tailSeconds: 120,
          chargedSeconds: 120,
          months: [{ month: "2026-03", reservedSeconds: 0, chargedSeconds: 120 }],
        },
        { id: made[1] },
      ],
      nextCursor: made[1],
    });
    expect(await query(token, "usage.sessions", { month: "2026-02" })).toMatchObject({
      items: [{ id: made[1], isSettled: true }],
      nextCursor: null,
    });
    expect(await query(await tokenFor("agent"), "usage.sessions")).toBe("auth.forbidden");
  });

  it("of a session that lives is what it would be charged now, and said to be no settlement", async () => {
    const openedAt = new Date(clock.now().getTime() - 60_000);
    const { sessionId } = await process.reserve({ now: openedAt });
    await process.transaction((tx) => process.meter.open(tx, { sessionId, now: openedAt }));
    const list = (await query(await tokenFor("reviewer"), "usage.sessions")) as {
      items: { state: string; isSettled: boolean; wallSeconds: number; chargedSeconds: number }[];
    };
    expect(list.items[0]).toMatchObject({ id: sessionId, state: "open", isSettled: false, endedAt: null });
    const { wallSeconds = 0, chargedSeconds } = list.items[0] ?? {};
    expect(wallSeconds).toBeGreaterThanOrEqual(60);
    expect(chargedSeconds).toBe(wallSeconds + 120);
  });

  it("has a cap that an admin sets, once for what was seen, with an audit entry that names who", async () => {
    const admin = await tokenFor("admin");
    const set = (seconds: unknown, expectedSeconds: number): Promise<unknown> =>
      mutate(admin, "usage.setCap", { seconds, expectedSeconds });
    expect(await set(500, 72_000)).toMatchObject({ capSeconds: 500, capSource: "setting" });
    expect(await set(600, 72_000)).toBe("conflict.stale");
    for (const wrong of [-1, 0.5, "9", 2 ** 31]) expect(await set(wrong, 500)).toBe("input.invalid");
    expect(await query(admin, "setting.get", { name: "SANDBOX_MONTHLY_SECONDS" })).toEqual({
      name: "SANDBOX_MONTHLY_SECONDS",
      value: "500",
      source: "setting",
    });
    expect(await query(admin, "setting.get", { name: "DATABASE_URL" })).toBe("setting.not_found");
    const { id: actorId } = await db.token.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    expect(await query(admin, "audit.list")).toMatchObject({
      items: [
        {
          actor: { id: actorId, kind: "token", name: "admin" },
          action: "usage.setCap",
          subject: "sandbox_monthly_seconds",
          data: { before: null, after: 500 },
        },
      ],
      nextCursor: null,
    });
    expect(await query(admin, "event.list", { types: ["usage.cap_changed"] })).toMatchObject({
      items: [{ data: { previousSeconds: 72_000, capSeconds: 500 } }],
    });
    expect(await set(null, 500)).toMatchObject({ capSeconds: 72_000, capSource: "environment" });
  });
});

describe("events", () => {
  it("of another Project are not an agent's to see, nor to ask after", async () => {
    const agent = await tokenFor("agent");
    const foreign = await appendEvent(randomUUID(), 1);
    const own = await appendEvent(projectId, 2);
    await appendEvent(null, 3);
    expect(await query(agent, "event.list")).toMatchObject({ items: [{ id: own }], nextCursor: null });
    expect(await query(agent, "event.list", { after: foreign })).toBe("event.not_found");
    expect(await query(agent, "event.list", { after: randomUUID() })).toBe("event.not_found");
    const all = (await query(await tokenFor("reviewer"), "event.list", { limit: 2 })) as {
      items: unknown[];
      nextCursor: string;
    };
    expect(all.items.length).toBe(2);
    expect(await query(await tokenFor("reviewer"), "event.list", { cursor: all.nextCursor })).toMatchObject({
      items: [{ data: { number: 3 } }],
    });
  });

  it("stream over HTTP with an id each, and go on after the last one that was received", async () => {
    const token = await tokenFor("agent");
    const first = await appendEvent(projectId, 1);
    const listen = async (input: object, headers: Record<string, string>, count: number): Promise<string> => {
      const connection = new AbortController();
      const path = `event.stream?input=${encodeURIComponent(JSON.stringify(input))}`;
      const response = await send(token, path, {
        headers: { accept: "text/event-stream", ...headers },
        signal: connection.signal,
      });
      let text = "";
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      while ((text.match(/^id: /gm) ?? []).length < count) {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) break;
        text += chunk.value;
      }
      await reader?.cancel();
      connection.abort();
      return text;
    };
    const reading = listen({ lastEventId: first }, {}, 2);
    await appendEvent(randomUUID(), 2);
    const third = await appendEvent(projectId, 3);
    const fourth = await appendEvent(projectId, 4);
    const idsOf = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? "");
    expect(idsOf(await reading)).toEqual([third, fourth]);
    // A browser that was cut off sends the id by a header of its own accord.
    expect(idsOf(await listen({}, { "last-event-id": third }, 1))).toEqual([fourth]);
  });
});

import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSystemClock } from "../platform/clock";
import type { Db } from "../platform/db";
import { createSystemIds } from "../platform/ids";
import { accessDeps } from "../testing/access-deps";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { ensureAdminToken } from "./admin-token";
import { createAccess, type Access } from "./service";
import { createTokenStore } from "./store";

let database: TestDatabase;
let db: Db;
let access: Access;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
  access = createAccess(
    accessDeps({ store: createTokenStore(db), clock: createSystemClock(), ids: createSystemIds() }),
  );
  folder = await mkdtemp(join(tmpdir(), "token-"));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const person = { label: "p", projectId: null, changeId: null, expiresAt: null };

describe("tokens in the database", () => {
  it("are kept as a hash: no column holds what the caller sends", async () => {
    const { token } = await access.createToken({ ...person, role: "reviewer" }, null);
    const rows = await db.$queryRaw<unknown[]>`SELECT * FROM tokens`;
    expect(JSON.stringify(rows)).not.toContain(token.slice("rhb_".length));
    expect(await access.findCaller(token)).toMatchObject({ role: "reviewer" });
  });

  it("of an agent cannot be stored without a Project, whatever the code above does", async () => {
    const id = createSystemIds().uuid();
    await expect(
      db.$executeRaw`INSERT INTO tokens (id, hash, role, label, created_at) VALUES (${id}::uuid, ${id}, 'agent', 'x', now())`,
    ).rejects.toThrow("tokens_agent_has_project");
  });

  it("are listed page by page without a gap or a repeat, though many were made in the same millisecond", async () => {
    await Promise.all(
      Array.from({ length: 25 }, () => access.createToken({ ...person, role: "admin" }, null)),
    );
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await access.listTokens({ hasEnded: null, after, limit: 7 });
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (last === undefined || page.length < 7) break;
      after = last.id;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(await db.token.count());
  });

  it("are told apart by whether they can be used, revoked and expired ones together", async () => {
    const now = Date.now();
    const soon = new Date(now + 3_600_000);
    const make = async (label: string, expiresAt: Date | null): Promise<string> =>
      (await access.createToken({ ...person, role: "admin", label, expiresAt }, null)).id;
    const ids = [await make("lasting", null), await make("expiring", soon), await make("revoked", null)];
    await access.revokeToken(ids[2] ?? "", null);
    const find = async (hasEnded: boolean, at: Date): Promise<string[]> => {
      const page = { hasEnded, after: null, limit: 200, now: at };
      const all = await createTokenStore(db).list(page);
      return all.filter(({ id }) => ids.includes(id)).map(({ label }) => label);
    };
    expect(await find(false, new Date(now))).toEqual(["lasting", "expiring"]);
    expect(await find(false, soon)).toEqual(["lasting"]);
    expect(await find(true, soon)).toEqual(["expiring", "revoked"]);
  });
});

describe("the admin token of a fresh installation", () => {
  it("lies in a file that only its owner reads, and works", async () => {
    const path = join(folder, "fresh");
    await ensureAdminToken(access, path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await access.findCaller((await readFile(path, "utf8")).trim())).toMatchObject({ role: "admin" });
  });

  it("is kept by a second start", async () => {
    const path = join(folder, "second");
    await ensureAdminToken(access, path);
    const first = await readFile(path, "utf8");
    await ensureAdminToken(access, path);
    expect(await readFile(path, "utf8")).toBe(first);
  });

  it.each(["", "rhb_halfwritten", `rhb_${"x".repeat(43)}\n`])(
    "replaces a file that holds %j",
    async (content) => {
      const path = join(folder, `broken-${content.length}`);
      await writeFile(path, content);
      await ensureAdminToken(access, path);
      expect(await access.findCaller((await readFile(path, "utf8")).trim())).toMatchObject({ role: "admin" });
    },
  );
});

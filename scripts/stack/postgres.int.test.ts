import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { prepareDataDir, type DataLayout } from "./data-dir";
import { findRecordedProcess } from "./pid-record";
import { ensurePorts } from "./ports";
import { ensureEmbeddedPostgres, stopEmbeddedPostgres } from "./postgres";
import { recordPathOf } from "./processes";

describe("the embedded PostgreSQL", () => {
  let scratch: string;
  let layout: DataLayout;
  let options: Parameters<typeof ensureEmbeddedPostgres>[0];

  beforeEach(async () => {
    scratch = mkdtempSync(join(tmpdir(), "rhumbatron-postgres-"));
    const closed = join(scratch, "closed");
    mkdirSync(closed, { mode: 0o700 });
    const dataDir = join(closed, "x".repeat(120), "data");
    layout = prepareDataDir(dataDir);
    const ports = await ensurePorts(layout.portsFile, () => Promise.resolve(false));
    options = {
      dataDir,
      instance: { id: randomUUID(), suffix: "" },
      port: ports.postgres,
      isRoot: process.getuid?.() === 0,
      systemDir: join(scratch, "system"),
    };
    mkdirSync(join(scratch, "system"), { mode: 0o711 });
    // mkdtemp makes a folder that only its owner enters; the system folder below must be open to PostgreSQL's user.
    if (options.isRoot) chmodSync(scratch, 0o711);
  });

  afterEach(async () => {
    await stopEmbeddedPostgres(layout);
    rmSync(scratch, { recursive: true, force: true });
  });

  test("starts from a long path that only root may enter, and is left alone when it runs", async () => {
    const first = await ensureEmbeddedPostgres(options);
    expect(first.outcome).toBe("started");
    const before = findRecordedProcess(recordPathOf(layout, "postgres"));
    const second = await ensureEmbeddedPostgres(options);
    expect(second).toEqual({ ...first, outcome: "kept" });
    expect(findRecordedProcess(recordPathOf(layout, "postgres"))).toEqual(before);
  });

  test("keeps every acknowledged row when the server is killed, and starts again", async () => {
    const { databaseUrl } = await ensureEmbeddedPostgres(options);
    await withClient(databaseUrl, async (client) => {
      await client.query("create table kept (n int)");
      for (let n = 0; n < 50; n++) await client.query("insert into kept values ($1)", [n]);
      const record = findRecordedProcess(recordPathOf(layout, "postgres"));
      if (record === null) throw new Error("the server has no record");
      process.kill(record.pid, "SIGKILL");
    });
    const again = await ensureEmbeddedPostgres(options);
    expect(again).toMatchObject({ databaseUrl, outcome: "started" });
    await withClient(databaseUrl, async (client) => {
      const { rows } = await client.query<{ count: string }>("select count(*) from kept");
      expect(rows[0]?.count).toBe("50");
    });
  });

  test("survives a pid file whose number belongs to another process by now", async () => {
    const home = (await ensureEmbeddedPostgres(options)).home;
    await stopEmbeddedPostgres(layout);
    writeFileSync(join(home, "data", "postmaster.pid"), `${process.pid}\n`);
    expect((await ensureEmbeddedPostgres(options)).outcome).toBe("started");
  });

  test("moves to another port when its own is given away", async () => {
    await ensureEmbeddedPostgres(options);
    const other = await ensurePorts(`${layout.portsFile}.other`, () => Promise.resolve(false));
    const moved = await ensureEmbeddedPostgres({ ...options, port: other.postgres });
    expect(moved.outcome).toBe("restarted");
    await withClient(moved.databaseUrl, async (client) => {
      const { rows } = await client.query<{ fsync: string }>("select current_setting('fsync') as fsync");
      expect(rows[0]?.fsync).toBe("on");
    });
  });
});

async function withClient(databaseUrl: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock } from "../platform/clock";
import { createTransactions, type Db } from "../platform/db";
import { createFailureLimit } from "../platform/failure-limit";
import { createSystemIds } from "../platform/ids";
import { createSilentLogger } from "../platform/logger";
import { createSettingsService } from "../settings/service";
import { createSettingStore } from "../settings/store";
import { actorOf } from "../testing/actor-of";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { until } from "../testing/until";
import type { People } from "./deps";
import { createPeople } from "./service";
import { createBetterAuthSignIn } from "./sign-in-better-auth";
import { createPeopleStore, createPeopleWriter } from "./store";

let database: TestDatabase;
let db: Db;
let people: People;
let linksDropped = 0;

const ids = createSystemIds();
const clock = createSystemClock();
const password = "correct horse battery";
const admin = actorOf(ids.uuid());

/** One web process on the database; `now` lets it live at another time. */
function startProcess(options: { now?: Date; pool?: Db } = {}): People {
  const pool = options.pool ?? db;
  const own = options.now === undefined ? clock : { ...clock, now: () => options.now ?? new Date() };
  return createPeople({
    store: createPeopleStore(pool),
    writerIn: createPeopleWriter,
    transaction: createTransactions(pool),
    signIn: createBetterAuthSignIn({ db: pool, ids, secret: "s".repeat(64), publicUrl: "http://own.test" }),
    settings: createSettingsService({ store: createSettingStore(pool), ids, environment: [] }),
    passwordLimit: createFailureLimit({ clock, failuresMax: 3, windowMs: 60_000 }),
    dropFirstAdminLink: () => {
      linksDropped += 1;
      return Promise.resolve();
    },
    clock: own,
    ids,
    logger: createSilentLogger(),
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.open();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE people, invitations, audit_entries CASCADE`;
  people = startProcess();
  linksDropped = 0;
});

/** Headers of a browser that holds these cookies. */
function browserWith(cookies: readonly string[]): Headers {
  return new Headers({ cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") });
}

async function comeIn(email: string, role: "admin" | "reviewer") {
  const { secret } = await people.invite({ email, role, actor: admin });
  return people.acceptInvitation({ secret, email, name: email, password });
}

async function signInAs(email: string): Promise<Headers> {
  return browserWith(await people.signIn({ email, password, headers: new Headers() }));
}

const actions = async (): Promise<string[]> =>
  (await db.auditEntry.findMany({ orderBy: [{ at: "asc" }, { id: "asc" }] })).map(({ action }) => action);

describe("the first admin's link", () => {
  it("makes one admin however many use it at once, and none once there is anybody", async () => {
    const secret = (await people.makeFirstAdminLink()) ?? "";
    const other = startProcess({ pool: database.open() });
    const tries = await Promise.allSettled(
      [people, other, people, other].map((process, n) =>
        process.acceptInvitation({ secret, email: `a${n}@x.test`, name: "A", password }),
      ),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await people.listPeople({ after: null, limit: 10 })).toMatchObject([{ role: "admin" }]);
    expect(await people.makeFirstAdminLink()).toBeNull();
    expect(linksDropped).toBe(1);
  });

  it("ends when another one is made, and after 24 hours", async () => {
    const first = (await people.makeFirstAdminLink()) ?? "";
    const second = (await people.makeFirstAdminLink()) ?? "";
    await expect(people.getInvitation(first)).rejects.toMatchObject({ code: "invitation.not_found" });
    const tomorrow = startProcess({ now: new Date(clock.now().getTime() + 24 * 3_600_000 + 1_000) });
    await expect(
      tomorrow.acceptInvitation({ secret: second, email: "a@x.test", name: "A", password }),
    ).rejects.toMatchObject({ code: "invitation.not_found" });
    expect(await people.getInvitation(second)).toMatchObject({ role: "admin", email: null });
  });
});

describe("an invitation", () => {
  it("makes a person under the invited address and role, whatever the form says, once", async () => {
    const { secret } = await people.invite({ email: "Ada@X.test", role: "reviewer", actor: admin });
    const ada = await people.acceptInvitation({ secret, email: "eve@x.test", name: "Ada", password });
    expect(ada).toMatchObject({ email: "ada@x.test", role: "reviewer" });
    await expect(
      people.acceptInvitation({ secret, email: "ada@x.test", name: "Ada", password }),
    ).rejects.toMatchObject({ code: "invitation.not_found" });
  });

  it("does nothing once it is revoked, replaced or expired", async () => {
    const revoked = await people.invite({ email: "a@x.test", role: "admin", actor: admin });
    await people.revokeInvitation({ id: revoked.id, actor: admin });
    const replaced = await people.invite({ email: "b@x.test", role: "admin", actor: admin });
    const open = await people.invite({ email: "b@x.test", role: "reviewer", actor: admin });
    const later = startProcess({ now: new Date(clock.now().getTime() + 8 * 24 * 3_600_000) });
    for (const [process, { secret }] of [
      [people, revoked],
      [people, replaced],
      [later, open],
    ] as const) {
      await expect(process.getInvitation(secret)).rejects.toMatchObject({ code: "invitation.not_found" });
    }
    expect(await people.getInvitation(open.secret)).toMatchObject({ role: "reviewer" });
  });

  it("is for nobody who is here already, and brings somebody back who was disabled, with a new password", async () => {
    await comeIn("root@x.test", "admin");
    const ada = await comeIn("ada@x.test", "admin");
    await expect(
      people.invite({ email: "ADA@x.test", role: "reviewer", actor: admin }),
    ).rejects.toMatchObject({ code: "input.invalid", details: { field: "email" } });
    const old = await signInAs("ada@x.test");
    await people.setDisabled({ id: ada.id, isDisabled: true, actor: admin });
    const { secret } = await people.invite({ email: "ada@x.test", role: "reviewer", actor: admin });
    const back = await people.acceptInvitation({
      secret,
      email: "",
      name: "Ada B",
      password: "a new password",
    });
    expect(back).toMatchObject({ id: ada.id, name: "Ada B", role: "reviewer", disabledAt: null });
    expect(await people.findSignedIn(old)).toBeNull();
    await expect(signInAs("ada@x.test")).rejects.toMatchObject({ code: "auth.required" });
    await people.signIn({ email: "ada@x.test", password: "a new password", headers: new Headers() });
  });

  it("that was made while its person was disabled takes nothing over once the person is back", async () => {
    await comeIn("root@x.test", "admin");
    const ada = await comeIn("ada@x.test", "reviewer");
    await people.setDisabled({ id: ada.id, isDisabled: true, actor: admin });
    const { secret } = await people.invite({ email: "ada@x.test", role: "admin", actor: admin });
    await people.setDisabled({ id: ada.id, isDisabled: false, actor: admin });
    await expect(
      people.acceptInvitation({ secret, email: "", name: "Eve", password: "a new password" }),
    ).rejects.toMatchObject({ code: "input.invalid" });
    expect(await people.findSignedIn(await signInAs("ada@x.test"))).toMatchObject({
      person: { name: "ada@x.test", role: "reviewer" },
    });
  });

  it("is kept as a hash only", async () => {
    const { secret } = await people.invite({ email: "a@x.test", role: "admin", actor: admin });
    expect(JSON.stringify(await db.invitation.findMany())).not.toContain(secret);
  });
});

describe("signing in", () => {
  beforeEach(() => comeIn("ada@x.test", "admin"));

  it("by the right password opens a session that says who it is, until it is ended", async () => {
    const headers = await signInAs("ADA@x.test ");
    const signedIn = await people.findSignedIn(headers);
    expect(signedIn?.person).toMatchObject({ email: "ada@x.test", role: "admin" });
    await people.signOut(headers);
    expect(await people.findSignedIn(headers)).toBeNull();
    expect(await actions()).toContain("user.signIn");
  });

  it("sets a cookie that scripts and other sites cannot use", async () => {
    const [cookie = ""] = await people.signIn({ email: "ada@x.test", password, headers: new Headers() });
    expect(cookie).toMatch(/^rhumbatron\./);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toMatch(/Secure/i);
    const overTls = createBetterAuthSignIn({
      db,
      ids,
      secret: "s".repeat(64),
      publicUrl: "https://own.test",
    });
    const given = await overTls.signIn({ email: "ada@x.test", password, headers: new Headers() });
    expect(given?.[0]).toMatch(/^__Secure-rhumbatron\.[^;]+;.*Secure/i);
  });

  it("answers the same for a wrong password, for an address that nobody has, and for a disabled person", async () => {
    await comeIn("gone@x.test", "reviewer");
    const [, gone] = await people.listPeople({ after: null, limit: 10 });
    await people.setDisabled({ id: gone?.id ?? "", isDisabled: true, actor: admin });
    const failures = await Promise.all(
      [
        { email: "ada@x.test", password: "wrong password" },
        { email: "nobody@x.test", password },
        { email: "gone@x.test", password },
      ].map((input) => people.signIn({ ...input, headers: new Headers() }).catch((error: unknown) => error)),
    );
    expect(failures.map((error) => String(error))).toEqual(Array(3).fill(String(failures[0])));
    expect(failures[0]).toMatchObject({ code: "auth.required" });
    expect(await db.signInSession.count()).toBe(0);
  });

  it("is refused for a while after too many wrong passwords, the right one too, and for that address only", async () => {
    await comeIn("bob@x.test", "reviewer");
    for (let n = 0; n < 3; n += 1) {
      await expect(
        people.signIn({ email: "ada@x.test", password: `wrong ${n} password`, headers: new Headers() }),
      ).rejects.toMatchObject({ code: "auth.required" });
    }
    await expect(signInAs("ada@x.test")).rejects.toMatchObject({ code: "limit.rate" });
    expect(await people.findSignedIn(await signInAs("bob@x.test"))).not.toBeNull();
  });

  it("many wrong passwords at once are no more tries than one after the other", async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        people.signIn({ email: "ada@x.test", password: `wrong ${n} password`, headers: new Headers() }),
      ),
    );
    const codes = tries.map((one) =>
      one.status === "rejected" ? (one.reason as { code: string }).code : "",
    );
    expect(codes.filter((code) => code === "auth.required")).toHaveLength(3);
    expect(codes.filter((code) => code === "limit.rate")).toHaveLength(9);
    await until(
      "each wrong password is in the audit log",
      async () => (await actions()).filter((one) => one === "user.signInFailed").length >= 3,
    );
  });

  it("of somebody who is refused for a while is open again by a new invitation, and notes no address", async () => {
    await comeIn("root@x.test", "admin");
    const forged = new Headers({ "x-forwarded-for": "203.0.113.9" });
    await people.signIn({ email: "ada@x.test", password, headers: forged });
    expect(await db.signInSession.findMany()).toMatchObject([{ ipAddress: "" }]);
    const [ada] = await people.listPeople({ after: null, limit: 1 });
    await people.setDisabled({ id: ada?.id ?? "", isDisabled: true, actor: admin });
    for (let n = 0; n < 4; n += 1) await expect(signInAs("ada@x.test")).rejects.toThrow();
    const { secret } = await people.invite({ email: "ada@x.test", role: "admin", actor: admin });
    await people.acceptInvitation({ secret, email: "", name: "Ada", password });
    expect(await people.findSignedIn(await signInAs("ada@x.test"))).not.toBeNull();
  });

  it("is seen: the time of the last call is kept to within minutes, and costs no write on every call", async () => {
    const headers = await signInAs("ada@x.test");
    const seen = async () => (await people.listPeople({ after: null, limit: 1 }))[0]?.lastSeenAt ?? null;
    expect(await seen()).toBeNull();
    await people.findSignedIn(headers);
    const first = await seen();
    expect(first).not.toBeNull();
    const soon = startProcess({ now: new Date(clock.now().getTime() + 60_000) });
    await soon.findSignedIn(headers);
    expect(await seen()).toEqual(first);
    const later = startProcess({ now: new Date(clock.now().getTime() + 600_000) });
    await later.findSignedIn(headers);
    expect((await seen())?.getTime()).toBeGreaterThan(first?.getTime() ?? 0);
  });

  it("a forged or foreign cookie is nobody", async () => {
    const headers = await signInAs("ada@x.test");
    const [name = "", value = ""] = (headers.get("cookie") ?? "").split("=");
    for (const cookie of [`${name}=${value.slice(0, -4)}AAAA`, `${name}=`, `${name}=x.y`, "a=b"]) {
      expect(await people.findSignedIn(new Headers({ cookie }))).toBeNull();
    }
  });
});

describe("a session", () => {
  it("ends at once when an admin ends it, or when its person is disabled", async () => {
    const { id } = await comeIn("ada@x.test", "reviewer");
    await comeIn("root@x.test", "admin");
    const [one, two] = [await signInAs("ada@x.test"), await signInAs("ada@x.test")];
    const sessionId = (await people.findSignedIn(one))?.sessionId ?? "";
    await people.endSession({ sessionId, personId: null, actor: admin });
    expect(await people.findSignedIn(one)).toBeNull();
    expect(await people.findSignedIn(two)).not.toBeNull();
    await people.setDisabled({ id, isDisabled: true, actor: admin });
    expect(await people.findSignedIn(two)).toBeNull();
    await people.setDisabled({ id, isDisabled: false, actor: admin });
    expect(await people.findSignedIn(two)).toBeNull();
  });

  it("of somebody else cannot be ended by a reviewer", async () => {
    const ada = await comeIn("ada@x.test", "reviewer");
    await comeIn("bob@x.test", "reviewer");
    const bobs = await people.findSignedIn(await signInAs("bob@x.test"));
    await expect(
      people.endSession({ sessionId: bobs?.sessionId ?? "", personId: ada.id, actor: admin }),
    ).rejects.toMatchObject({ code: "user.not_found" });
  });

  it("stays when its person changes the password, and every other one ends", async () => {
    await comeIn("ada@x.test", "reviewer");
    const [own, other] = [await signInAs("ada@x.test"), await signInAs("ada@x.test")];
    const signedIn = await people.findSignedIn(own);
    if (signedIn === null) throw new Error("nobody is signed in");
    await expect(
      people.changePassword({ signedIn, headers: own, present: "wrong password", next: "another password" }),
    ).rejects.toMatchObject({ code: "input.invalid" });
    await people.changePassword({ signedIn, headers: own, present: password, next: "another password" });
    expect(await people.findSignedIn(own)).not.toBeNull();
    expect(await people.findSignedIn(other)).toBeNull();
    await expect(signInAs("ada@x.test")).rejects.toMatchObject({ code: "auth.required" });
  });
});

describe("roles", () => {
  it("the last admin is neither demoted nor disabled, even when two admins take each other's role at once", async () => {
    const ada = await comeIn("ada@x.test", "admin");
    const bob = await comeIn("bob@x.test", "admin");
    const other = startProcess({ pool: database.open() });
    const tries = await Promise.allSettled([
      people.setRole({ id: ada.id, role: "reviewer", actor: admin }),
      other.setDisabled({ id: bob.id, isDisabled: true, actor: admin }),
    ]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const present = await people.listPeople({ after: null, limit: 10 });
    expect(present.filter(({ role, disabledAt }) => role === "admin" && disabledAt === null)).toHaveLength(1);
  });

  it("every act on people is in the audit log with who did it", async () => {
    const ada = await comeIn("ada@x.test", "reviewer");
    await comeIn("root@x.test", "admin");
    await people.setRole({ id: ada.id, role: "admin", actor: admin });
    await people.setDisabled({ id: ada.id, isDisabled: true, actor: admin });
    const signedIn = await people.findSignedIn(await signInAs("root@x.test"));
    if (signedIn === null) throw new Error("nobody is signed in");
    await people.rename({ signedIn, name: "Root" });
    expect(await actions()).toEqual(
      expect.arrayContaining([
        "user.invite",
        "user.acceptInvitation",
        "user.setRole",
        "user.disable",
        "user.signIn",
        "user.rename",
      ]),
    );
    const entry = await db.auditEntry.findFirst({ where: { action: "user.setRole" } });
    expect(entry).toMatchObject({ actorId: admin.id, actorKind: "token", actorName: admin.name });
  });
});

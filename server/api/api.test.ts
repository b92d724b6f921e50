import { describe, expect, it } from "vitest";
import { createFakeApi, healthy } from "../testing/fake-api";
import type { ApiDeps } from "./context";
import { apiPath, handleApiRequest } from "./http-handler";
import { appRouter } from "./root";
import type { Policy } from "./trpc";

const projectId = "11111111-1111-4111-8111-111111111111";

function createApi(overrides: Partial<ApiDeps> = {}) {
  const fake = createFakeApi();
  const { clock, access } = fake;
  const deps: ApiDeps = { ...fake.deps, ...overrides };
  const call = async (
    path: string,
    options: { token?: string; authorization?: string; body?: unknown; raw?: BodyInit } = {},
  ) => {
    const authorization =
      options.authorization ?? (options.token === undefined ? undefined : `Bearer ${options.token}`);
    const isMutation = options.body !== undefined || options.raw !== undefined;
    const response = await handleApiRequest(
      new Request(`http://dashboard.test${apiPath}/${path}`, {
        method: isMutation ? "POST" : "GET",
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(isMutation ? { "content-type": "application/json" } : {}),
        },
        ...(isMutation ? { body: options.raw ?? JSON.stringify(options.body) } : {}),
      }),
      deps,
    );
    const text = await response.text();
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    return { status: response.status, body: (isStream ? { stream: text } : JSON.parse(text)) as never };
  };
  const tokenFor = async (role: "admin" | "reviewer" | "agent") =>
    (
      await access.createToken(
        {
          role,
          label: role,
          projectId: role === "agent" ? projectId : null,
          changeId: null,
          expiresAt: null,
        },
        null,
      )
    ).token;
  return { call, tokenFor, clock, access };
}

interface ProcedureDef {
  _def: { meta?: { policy: Policy }; type: "query" | "mutation" | "subscription" };
}
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, ProcedureDef>);

describe("every procedure has a policy, and the policy holds", () => {
  it.each(procedures)("%s declares who may call it", (_path, procedure) => {
    expect(procedure._def.meta?.policy).toBeDefined();
  });

  const guarded = procedures.filter(([, procedure]) => procedure._def.meta?.policy !== "public");

  it.each(guarded)("%s is closed to a caller without a token", async (path, procedure) => {
    const { call } = createApi();
    const { type } = procedure._def;
    const answer = await call(path, type === "mutation" ? { body: {} } : {});
    // A stream has begun before it can say anything, so the refusal is its first and only word.
    if (type === "subscription") expect(JSON.stringify(answer.body)).toContain("auth.required");
    else
      expect(answer).toMatchObject({
        status: 401,
        body: { error: { data: { domainCode: "auth.required" } } },
      });
  });

  const rolesOutside: Record<Policy, readonly ("reviewer" | "agent")[]> = {
    public: [],
    all: [],
    reviewer: ["agent"],
    admin: ["reviewer", "agent"],
    workspace: ["reviewer"],
  };
  const outsiders = procedures.flatMap(([path, procedure]) =>
    rolesOutside[procedure._def.meta?.policy ?? "public"].map((role) => [path, role, procedure] as const),
  );

  it.each(outsiders)("%s is closed to the role %s", async (path, role, procedure) => {
    const { call, tokenFor } = createApi();
    const token = await tokenFor(role);
    const answer = await call(path, procedure._def.type === "mutation" ? { body: {}, token } : { token });
    expect(answer).toMatchObject({
      status: 403,
      body: { error: { data: { domainCode: "auth.forbidden" } } },
    });
  });
});

describe("bearer tokens", () => {
  it.each([
    "",
    "Bearer",
    "Bearer ",
    "Bearer rhb_short",
    "Basic cmhiXw==",
    "Bearer {token}, Bearer {token}",
    "Bearer {token} {token}",
    "bearer: {token}",
  ])("are refused in the form %j", async (form) => {
    const { call, tokenFor } = createApi();
    const authorization = form.replaceAll("{token}", await tokenFor("admin"));
    expect((await call("token.list", { authorization })).status).toBe(401);
  });

  it("stop working in the moment they expire", async () => {
    const { call, access, clock } = createApi();
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const { token } = await access.createToken(
      {
        role: "admin",
        label: "short",
        projectId: null,
        changeId: null,
        expiresAt,
      },
      null,
    );
    await clock.advance(59_999);
    expect((await call("token.list", { token })).status).toBe(200);
    await clock.advance(1);
    expect((await call("token.list", { token })).status).toBe(401);
  });

  it("stop working in the moment they are revoked, and revoking again gives the same answer", async () => {
    const { call, tokenFor } = createApi();
    const admin = await tokenFor("admin");
    const made = await call("token.create", { token: admin, body: { role: "reviewer", label: "r" } });
    const { id, token } = (made.body as { result: { data: { id: string; token: string } } }).result.data;
    const first = await call("token.revoke", { token: admin, body: { id } });
    expect(await call("token.revoke", { token: admin, body: { id } })).toEqual(first);
    expect((await call("token.list", { token })).status).toBe(401);
  });

  it("are shown once: no list holds a secret or a hash", async () => {
    const { call, tokenFor } = createApi();
    const token = await tokenFor("admin");
    const text = JSON.stringify((await call("token.list", { token })).body);
    expect(text).not.toContain(token);
    expect(text).not.toMatch(/hash/);
  });
});

describe("input", () => {
  it.each([
    ["an unknown key", { role: "admin", label: "x", isRoot: true }],
    ["an operator of the database", { role: "admin", label: { not: "" } }],
    ["an agent without a Project", { role: "agent", label: "x" }],
    ["a reviewer with a Project", { role: "reviewer", label: "x", projectId }],
    ["an expiry in the past", { role: "admin", label: "x", expiresAt: "2001-01-01T00:00:00.000Z" }],
    ["an array", []],
    ["a prototype", JSON.parse('{"__proto__":{"role":"admin"},"label":"x"}')],
  ])("%s is refused as input.invalid", async (_name, body) => {
    const { call, tokenFor } = createApi();
    const answer = await call("token.create", { token: await tokenFor("admin"), body });
    expect(answer).toMatchObject({ status: 400, body: { error: { data: { domainCode: "input.invalid" } } } });
  });

  it("broken JSON is refused as input.invalid", async () => {
    const { call, tokenFor } = createApi();
    const answer = await call("token.create", { token: await tokenFor("admin"), raw: '{"role":' });
    expect(answer).toMatchObject({ status: 400, body: { error: { data: { domainCode: "input.invalid" } } } });
  });

  it("a body above the bound is cut off as limit.size", async () => {
    const { call, tokenFor } = createApi();
    const raw = JSON.stringify({ role: "admin", label: "x".repeat(17 * 1024 * 1024) });
    const answer = await call("token.create", { token: await tokenFor("admin"), raw });
    expect(answer).toMatchObject({ status: 413, body: { error: { data: { domainCode: "limit.size" } } } });
  });

  it.each(["comment.create", "changeSet.review", "workspace.open", "workspace.runCommand"])(
    "an idempotency key of %s that the database cannot hold is named as the fault",
    async (procedure) => {
      const { call, tokenFor } = createApi();
      const body = { idempotencyKey: "a\0" };
      const answer = await call(procedure, { token: await tokenFor("admin"), body });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain(
        '{"field":"idempotencyKey","message":"holds a control character"}',
      );
    },
  );

  it("a batch of more than a hundred calls is refused before any of them runs", async () => {
    let reportCount = 0;
    const report = () => {
      reportCount += 1;
      return Promise.reject(new Error("not asked for"));
    };
    const { call } = createApi({ health: { report } });
    const answer = await call(`${Array(101).fill("health.get").join(",")}?batch=1`);
    expect(answer).toMatchObject({ status: 400 });
    expect(reportCount).toBe(0);
  });
});

describe("failures", () => {
  it("that nobody named reach the caller as internal with a correlation id and nothing else", async () => {
    const secret = "SELECT secret FROM /var/lib/place";
    const { call } = createApi({ health: { report: () => Promise.reject(new Error(secret)) } });
    const answer = await call("health.get");
    expect(answer).toMatchObject({ status: 500, body: { error: { data: { domainCode: "internal" } } } });
    expect(JSON.stringify(answer.body)).not.toContain("SELECT");
    expect(JSON.stringify(answer.body)).not.toContain("stack");
  });

  it("of an unknown procedure say so in the same shape", async () => {
    const { call } = createApi();
    expect(await call("no.such")).toMatchObject({
      status: 404,
      body: { error: { data: { domainCode: "procedure.not_found" } } },
    });
  });

  it.each([
    ["GET", "project.create", "", "Unsupported GET-request to mutation procedure"],
    ["POST", "project.list", "{}", "Queries are GET with ?input=<JSON>, mutations are POST"],
    ["POST", "project.create", "{bad", "The input is not JSON"],
    ["GET", "project.list?input={bad", "", "The input is not JSON"],
    ["GET", "no.such", "", 'No procedure found on path "no.such"'],
  ])(
    "of a request that no procedure saw say what is wrong with it: %s %s %s",
    async (method, path, body, text) => {
      const { deps, access } = createFakeApi();
      const given = { role: "admin" as const, label: "a", projectId: null, changeId: null, expiresAt: null };
      const { token } = await access.createToken(given, null);
      const response = await handleApiRequest(
        new Request(`http://dashboard.test${apiPath}/${path}`, {
          method,
          headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
          ...(method === "POST" ? { body } : {}),
        }),
        deps,
      );
      const answer = (await response.json()) as { error: { message: string } };
      expect(answer.error.message).toContain(text);
    },
  );

  it("of the context itself tell nothing", async () => {
    const { call } = createApi({
      access: {
        ...createApi().access,
        findCaller: () => Promise.reject(new Error("connect ECONNREFUSED 127.0.0.1:5432")),
      },
    });
    const answer = await call("token.list", { token: `rhb_${"a".repeat(43)}` });
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("5432");
  });
});

it("health is public and plain JSON", async () => {
  const { call } = createApi();
  expect(await call("health.get")).toEqual({ status: 200, body: { result: { data: healthy } } });
});

it("a body that is not said to be JSON is told how to be sent", async () => {
  const response = await handleApiRequest(
    new Request(`http://dashboard.test${apiPath}/token.create`, { method: "POST", body: "{}" }),
    createFakeApi().deps,
  );
  expect(response.status).toBe(415);
  expect(await response.json()).toMatchObject({
    error: {
      message: expect.stringContaining("Content-Type: application/json") as string,
      data: { domainCode: "input.invalid" },
    },
  });
});

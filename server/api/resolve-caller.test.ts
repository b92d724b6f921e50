import { describe, expect, it } from "vitest";
import { callerOfPerson } from "../people/service";
import { actorOf } from "../testing/actor-of";
import { createFakeApi } from "../testing/fake-api";
import { apiPath, handleApiRequest } from "./http-handler";
import { handleMcpRequest } from "./mcp";
import { resolveCaller } from "./resolve-caller";

const host = "dashboard.test";
const password = "correct horse battery";
const inviter = actorOf("99999999-9999-4999-8999-999999999999");

/** A server with one person signed in, and the headers of that browser's own pages. */
async function start(role: "admin" | "reviewer" = "admin") {
  const { deps } = createFakeApi();
  const { secret } = await deps.people.invite({ email: "ada@x.test", role, actor: inviter });
  await deps.people.acceptInvitation({ secret, email: "", name: "Ada", password });
  const [cookie = ""] = await deps.people.signIn({ email: "ada@x.test", password, headers: new Headers() });
  const own = { host, cookie, "sec-fetch-site": "same-origin" };
  const call = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const request = new Request(`http://${host}${apiPath}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await handleApiRequest(request, deps);
    return {
      status: response.status,
      cookies: response.headers.getSetCookie(),
      body: (await response.json()) as never,
    };
  };
  const tokenOf = async (tokenRole: "admin" | "reviewer") => {
    const label = { label: tokenRole, projectId: null, changeId: null, expiresAt: null };
    return (await deps.access.createToken({ ...label, role: tokenRole }, null)).token;
  };
  return { deps, cookie, own, call, tokenOf };
}

describe("a call that changes something by a cookie", () => {
  it.each([
    ["the browser says that it comes from our own page", { "sec-fetch-site": "same-origin" }],
    ["its origin is the dashboard's address", { origin: `http://${host}` }],
    ["its origin is the host that is asked", { origin: "https://other.test", host: "other.test" }],
  ])("counts when %s", async (_name, headers) => {
    const { call, cookie } = await start();
    expect((await call("user.rename", { host, cookie, ...headers }, { name: "A" })).status).toBe(200);
  });

  it.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.test" }],
    ["another site under our origin's name", { "sec-fetch-site": "cross-site", origin: `http://${host}` }],
    [
      "a neighbour below the same domain",
      { "sec-fetch-site": "same-site", origin: "http://a.dashboard.test" },
    ],
    ["an address that somebody typed", { "sec-fetch-site": "none" }],
    ["a foreign origin, from an old browser", { origin: "https://evil.test" }],
    ["our host under another port", { origin: `http://${host}:81` }],
    ["a page without an origin", { origin: "null" }],
    ["something that is no origin", { origin: "dashboard.test" }],
    ["nobody knows where", {}],
  ])("counts nothing when it comes from %s", async (_name, headers) => {
    const { call, deps, cookie } = await start();
    const answer = await call("user.rename", { host, cookie, ...headers }, { name: "Eve" });
    expect(answer).toMatchObject({ status: 401, body: { error: { data: { domainCode: "auth.required" } } } });
    expect(await deps.people.listPeople({ after: null, limit: 1 })).toMatchObject([{ name: "Ada" }]);
  });

  it("cannot be made by asking to read", async () => {
    const { call, deps, own } = await start();
    const input = encodeURIComponent(JSON.stringify({ name: "Eve" }));
    expect((await call(`user.rename?input=${input}`, own)).status).toBe(400);
    expect(await deps.people.listPeople({ after: null, limit: 1 })).toMatchObject([{ name: "Ada" }]);
  });

  it("of another site signs nobody in or out", async () => {
    const { call, cookie } = await start();
    const headers = { host, cookie, "sec-fetch-site": "cross-site" };
    for (const [path, body] of [
      ["user.signIn", { email: "ada@x.test", password }],
      ["user.signOut", {}],
    ] as const) {
      expect(await call(path, headers, body)).toMatchObject({ status: 403, cookies: [] });
    }
  });
});

describe("who calls", () => {
  it("is the person of the cookie, with that person's role", async () => {
    const { call, own } = await start("reviewer");
    expect(await call("user.me", own)).toMatchObject({
      status: 200,
      body: {
        result: { data: { role: "reviewer", email: "ada@x.test", actor: { kind: "person", name: "Ada" } } },
      },
    });
    expect((await call("user.list", own)).status).toBe(403);
  });

  it("is the token when there are both, and nobody when that token is wrong", async () => {
    const { call, own, tokenOf } = await start("admin");
    const authorization = `Bearer ${await tokenOf("reviewer")}`;
    expect(await call("user.me", { ...own, authorization })).toMatchObject({
      body: { result: { data: { role: "reviewer", email: null, actor: { kind: "token" } } } },
    });
    for (const wrong of ["", "Bearer", "Basic x", `Bearer rhb_${"a".repeat(43)}`]) {
      expect((await call("user.me", { ...own, authorization: wrong })).status).toBe(401);
    }
  });

  it("a token needs no origin, and changes no person's own things", async () => {
    const { call, tokenOf } = await start();
    const authorization = `Bearer ${await tokenOf("admin")}`;
    const invitation = { email: "b@x.test", role: "reviewer" };
    expect((await call("user.invite", { host, authorization }, invitation)).status).toBe(200);
    expect((await call("user.rename", { host, authorization }, { name: "Eve" })).status).toBe(403);
    const passwords = { present: password, next: "another password" };
    expect((await call("user.changePassword", { host, authorization }, passwords)).status).toBe(403);
  });

  it("the next call of somebody who was disabled fails", async () => {
    const { call, deps, own } = await start("reviewer");
    const [ada] = await deps.people.listPeople({ after: null, limit: 1 });
    if (ada === undefined) throw new Error("there is nobody");
    expect(callerOfPerson(ada).role).toBe("reviewer");
    const { secret } = await deps.people.invite({ email: "root@x.test", role: "admin", actor: inviter });
    await deps.people.acceptInvitation({ secret, email: "", name: "Root", password });
    await deps.people.setDisabled({ id: ada.id, isDisabled: true, actor: inviter });
    expect((await call("user.me", own)).status).toBe(401);
    expect(await resolveCaller(new Headers(own), deps)).toEqual({ caller: null, signedIn: null });
  });

  it("a cookie is no key to MCP", async () => {
    const { deps, own } = await start();
    const request = new Request(`http://${host}/mcp`, { method: "POST", headers: own, body: "{}" });
    expect((await handleMcpRequest(request, deps)).status).toBe(401);
  });
});

it("too many wrong tokens are refused with a time to wait, whatever address they claim, and right ones pass", async () => {
  const { call, tokenOf } = await start();
  const wrong = (n: number) =>
    call("user.me", {
      host,
      authorization: `Bearer rhb_${"a".repeat(43)}`,
      "x-forwarded-for": `203.0.113.${n % 250}`,
    });
  for (let n = 0; n < 300; n += 1) expect((await wrong(n)).status).toBe(401);
  expect(await wrong(7)).toMatchObject({
    status: 429,
    body: { error: { data: { domainCode: "limit.rate", details: { retryAfterSeconds: 60 } } } },
  });
  expect((await call("user.me", { host, authorization: `Bearer ${await tokenOf("admin")}` })).status).toBe(
    200,
  );
});

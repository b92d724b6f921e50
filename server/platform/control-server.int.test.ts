import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { createControlServer, type ControlServer } from "./control-server";
import { DomainError } from "./errors";
import { createSilentLogger } from "./logger";

let server: ControlServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function start(address: string, cidr: string): Promise<string> {
  server = createControlServer({
    network: { address, cidr },
    health: () => Promise.resolve({ status: "ok", detail: "Fine." }),
    routes: {
      "PUT /echo": ({ query, bearer, body }) =>
        Promise.resolve({ status: 201, body: { query: query.get("q"), bearer, body } }),
      "GET /refused": () => Promise.reject(new DomainError("auth.required", "No token.")),
      "GET /broken": () => Promise.reject(new Error("a secret detail")),
    },
    logger: createSilentLogger(),
  });
  const { port } = await server.listen(0);
  return `http://${address}:${port}`;
}

describe("a control port", () => {
  it("answers its routes and health", async () => {
    const url = await start("127.0.0.1", "127.0.0.1/8");
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok", detail: "Fine." });
    const echo = await fetch(`${url}/echo?q=1`, {
      method: "PUT",
      body: "text",
      headers: { authorization: "Bearer t" },
    });
    expect(echo.status).toBe(201);
    expect(await echo.json()).toEqual({ query: "1", bearer: "t", body: "text" });
    expect((await fetch(`${url}/constructor`)).status).toBe(404);
  });

  it("says what was refused, and nothing about what broke", async () => {
    const url = await start("127.0.0.1", "127.0.0.1/8");
    const refused = await fetch(`${url}/refused`);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: "auth.required", message: "No token." });
    const broken = await fetch(`${url}/broken`);
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain("secret");
  });

  it("refuses a body without a bound", async () => {
    const url = await start("127.0.0.1", "127.0.0.1/8");
    const answer = await fetch(`${url}/echo`, { method: "PUT", body: "x".repeat(5 * 1024 * 1024) }).catch(
      () => null,
    );
    expect(answer === null || answer.status === 413).toBe(true);
  });

  /** The kernel takes packets for any own address on any interface, so binding alone does not keep a sandbox away. */
  it("answers only within its own network", async () => {
    const own = Object.values(networkInterfaces())
      .flat()
      .find((info) => info?.family === "IPv4" && !info.internal);
    if (own === undefined) throw new Error("not run: this machine has no address but loopback");
    const outside = await start(own.address, "198.18.0.1/32");
    await expect(fetch(`${outside}/health`)).rejects.toThrow();
    await server?.close();
    const inside = await start(own.address, `${own.address}/32`);
    expect((await fetch(`${inside}/health`)).status).toBe(200);
  });
});

import { once } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { askRaw, createRawClient, openTunnel } from "../testing/egress-client";
import { createEgressWorld, testPolicy, testSandboxId, type EgressWorld } from "../testing/egress-world";

const publicAddress = "203.0.113.1";
let world: EgressWorld;
afterEach(() => world.close());

const connectTo = (target: string): string => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
const get = (path: string, ...headers: string[]): string =>
  [`GET http://up.example${path} HTTP/1.1`, "Host: up.example", ...headers, "", ""].join("\r\n");
const ok = (body: string, ...headers: string[]): string =>
  ["HTTP/1.1 200 OK", `Content-Length: ${body.length}`, ...headers, "", body].join("\r\n");

describe("a tunnel", () => {
  it("carries bytes both ways, early ones too, and its decision counts them", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    await world.serve(publicAddress, (socket) =>
      socket.on("data", (piece) => socket.write(`<${piece.toString()}>`)),
    );
    const client = await createRawClient(world.port);
    const credentials = Buffer.from("run-1:s3cret-word").toString("base64");
    client.send(`CONNECT up.example:443 HTTP/1.1\r\nProxy-Authorization: Basic ${credentials}\r\n\r\nearly`);
    expect(await client.waitFor(/<early>/)).toBe("HTTP/1.1 200 Connection established\r\n\r\n<early>");
    client.send("late");
    await client.waitFor(/<late>/);
    client.socket.end();
    await client.untilClosed();
    await vi.waitFor(() =>
      expect(world.decisions.page({ after: 0, limit: 9 }).decisions[0]?.end).not.toBeNull(),
    );
    const { decisions } = world.decisions.page({ after: 0, limit: 9 });
    expect(decisions).toMatchObject([
      {
        sandboxId: testSandboxId,
        source: "127.0.0.1",
        host: "up.example",
        port: 443,
        method: "CONNECT",
        verdict: "allowed",
        proxyUser: "run-1",
        end: { bytesUp: 9, bytesDown: 13 },
      },
    ]);
    expect(JSON.stringify(decisions)).not.toContain("s3cret");
    expect(world.dialled).toEqual([`${publicAddress}:443`]);
  });

  it("loses nothing of what an upstream sent before it ended, however slowly the client reads", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    const bytes = 24 * 1024 * 1024;
    let peakBuffered = 0;
    await world.serve(publicAddress, (socket) => {
      socket.once("data", () => {
        socket.end(Buffer.alloc(bytes, "x"));
        peakBuffered = socket.writableLength;
      });
    });
    const client = await openTunnel(world.port, "up.example:443");
    client.socket.pause();
    client.send("go");
    await vi.waitFor(() => expect(peakBuffered).toBeGreaterThan(bytes / 2));
    client.socket.resume();
    const received = await client.untilClosed();
    expect(received.length - received.indexOf("\r\n\r\n") - 4).toBe(bytes);
  });

  it("is over soon after its host was taken off the allowlist, and no other tunnel is", async () => {
    world = await createEgressWorld({
      names: { "up.example": () => [publicAddress], "x.up.example": () => [publicAddress] },
    });
    await world.serve(publicAddress, (socket) => socket.resume());
    const [removed, kept] = await Promise.all([
      openTunnel(world.port, "x.up.example:443"),
      openTunnel(world.port, "up.example:443"),
    ]);
    world.setPolicy({ ...testPolicy, version: 2, allow: ["up.example"] });
    await removed.untilClosed();
    expect(world.proxy.connectionCount).toBe(1);
    expect(kept.socket.destroyed).toBe(false);
    expect(await world.upstreamCount()).toBe(1);
  });

  it("is over for both sides when it is over for one, also when one vanishes", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    const upstreamClosed: Promise<unknown>[] = [];
    await world.serve(publicAddress, (socket) => {
      socket.resume();
      upstreamClosed.push(once(socket, "close"));
    });
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => openTunnel(world.port, "up.example:443")),
    );
    expect(world.proxy.connectionCount).toBe(20);
    clients.forEach((client, index) =>
      index % 2 === 0 ? client.socket.resetAndDestroy() : client.socket.end(),
    );
    await Promise.all(upstreamClosed);
    await vi.waitFor(() => expect(world.proxy.connectionCount).toBe(0));
    expect(await world.upstreamCount()).toBe(0);
    expect(world.decisions.page({ after: 0, limit: 99 }).decisions.every(({ end }) => end !== null)).toBe(
      true,
    );
  });

  it.each(["reset", "end"] as const)(
    "whose client stops reading and goes away by %s is given up soon",
    async (how) => {
      world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
      await world.serve(publicAddress, (socket) => {
        socket.once("data", () => socket.write(Buffer.alloc(64 * 1024 * 1024, "x")));
      });
      const tunnel = await openTunnel(world.port, "up.example:443");
      const plain = await createRawClient(world.port);
      for (const client of [tunnel, plain]) {
        client.socket.pause();
        client.send(get("/"));
      }
      await vi.waitFor(() => expect(tunnel.socket.bytesRead).toBeGreaterThan(0));
      for (const { socket } of [tunnel, plain]) {
        if (how === "reset") socket.resetAndDestroy();
        else socket.destroy();
      }
      await vi.waitFor(() => expect(world.proxy.connectionCount).toBe(0), { timeout: 4_000 });
      await vi.waitFor(async () => expect(await world.upstreamCount()).toBe(0));
    },
  );

  it("ends with the proxy", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    await world.serve(publicAddress, (socket) => socket.resume());
    const client = await openTunnel(world.port, "up.example:443");
    await world.proxy.close();
    await client.untilClosed();
    await vi.waitFor(async () => expect(await world.upstreamCount()).toBe(0));
  });

  it("in which nothing moves is ended", async () => {
    world = await createEgressWorld({
      names: { "up.example": () => [publicAddress] },
      limits: { quietMs: 300 },
    });
    await world.serve(publicAddress, (socket) => socket.resume());
    await (await openTunnel(world.port, "up.example:443")).untilClosed();
    await vi.waitFor(() => expect(world.proxy.connectionCount).toBe(0));
  });
});

/** NET-05, NET-10: what a name resolves to is judged once, whole, and that very answer is dialled. */
describe("addresses of an allowed name", () => {
  it("are resolved once; a name that flips afterwards changes nothing", async () => {
    const answers = [[publicAddress], ["127.0.0.1"]];
    world = await createEgressWorld({ names: { "up.example": () => answers.shift() ?? ["127.0.0.1"] } });
    await world.serve(publicAddress, (socket) => socket.end("public"));
    const client = await createRawClient(world.port);
    client.send(connectTo("up.example:443"));
    expect(await client.untilClosed()).toContain("public");
    expect(world.resolved).toEqual(["up.example"]);
    expect(await askRaw(world.port, connectTo("up.example:443"))).toMatch(/^HTTP\/1\.1 403 egress\.denied/);
    expect(world.dialled).toEqual([`${publicAddress}:443`]);
  });

  it.each([
    ["A public, AAAA private", [publicAddress, "fd00::1"]],
    ["A public and A private", [publicAddress, "10.0.0.1"]],
    ["loopback", ["127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["mapped", ["::ffff:169.254.169.254"]],
    ["NAT64", ["64:ff9b::7f00:1"]],
    ["an address of the machine", ["203.0.113.99"]],
    ["no address at all", ["up.example"]],
  ])("%s: refused, nothing dialled", async (_what, addresses) => {
    world = await createEgressWorld({ names: { "up.example": () => addresses } });
    const answer = await askRaw(world.port, connectTo("up.example:443"));
    expect(answer).toMatch(
      /^HTTP\/1\.1 403 egress\.denied: up\.example:443: the name resolves to an address/,
    );
    expect(world.dialled).toEqual([]);
    expect(world.decisions.page({ after: 0, limit: 9 }).decisions).toMatchObject([{ reason: "address" }]);
  });

  it("that are pinned are dialled although private", async () => {
    world = await createEgressWorld({ names: { "up.example": () => ["127.0.0.1"] } });
    world.setPolicy({ ...testPolicy, pinned: { "up.example": "127.0.0.1" } });
    await world.serve("127.0.0.1", (socket) => socket.end("pinned"));
    expect(await askRaw(world.port, connectTo("up.example:443"))).toContain("pinned");
  });

  it("are tried in turn, and one that never answers only costs its time", async () => {
    world = await createEgressWorld({
      names: { "up.example": () => ["203.0.113.2", "203.0.113.3", publicAddress] },
      limits: { connectMs: 200 },
    });
    await world.serve("203.0.113.2", null);
    await world.serve(publicAddress, (socket) => socket.end("third"));
    expect(await askRaw(world.port, connectTo("up.example:443"))).toContain("third");
    expect(world.dialled).toHaveLength(3);
  });

  it("of a refused name are never asked for", async () => {
    world = await createEgressWorld();
    expect(await askRaw(world.port, connectTo("secret.evil.test:443"))).toMatch(
      /^HTTP\/1\.1 403 egress\.denied: secret/,
    );
    expect(await askRaw(world.port, connectTo("up.example:22"))).toMatch(/^HTTP\/1\.1 403 /);
    expect(world.resolved).toEqual([]);
  });

  it("that cannot be had are a failure and no refusal", async () => {
    world = await createEgressWorld({
      names: { "a.up.example": () => [publicAddress], "b.up.example": () => ["203.0.113.2"] },
      limits: { connectMs: 100 },
    });
    await world.serve("203.0.113.2", null);
    expect(await askRaw(world.port, connectTo("up.example:443"))).toMatch(
      /^HTTP\/1\.1 502 egress\.unreachable/,
    );
    expect(await askRaw(world.port, connectTo("a.up.example:443"))).toMatch(
      /^HTTP\/1\.1 502 egress\.unreachable/,
    );
    expect(await askRaw(world.port, connectTo("b.up.example:443"))).toMatch(
      /^HTTP\/1\.1 504 egress\.unreachable/,
    );
    const reasons = world.decisions
      .page({ after: 0, limit: 9 })
      .decisions.map(({ verdict, reason }) => [verdict, reason]);
    expect(reasons).toEqual([
      ["failed", "resolve_failed"],
      ["failed", "connect_failed"],
      ["failed", "connect_timed_out"],
    ]);
  });
});

describe("a plain request", () => {
  it("reaches the upstream without what was meant for the proxy, and the answer comes back as it is", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    let seen = "";
    await world.serve(publicAddress, (socket) =>
      socket.on("data", (piece) => {
        seen += piece.toString("latin1");
        socket.end(ok("hello", "ETag: x", "Keep-Alive: timeout=5", "Connection: keep-alive"));
      }),
    );
    const answer = await askRaw(
      world.port,
      get(
        "/a?b=c",
        "Proxy-Authorization: Basic czNjcmV0",
        "Proxy-Connection: keep-alive",
        "Connection: keep-alive, X-Hop",
        "X-Hop: 1",
        "TE: trailers",
        "Accept: a/b",
      ),
    );
    expect(seen).toBe("GET /a?b=c HTTP/1.1\r\nhost: up.example\r\naccept: a/b\r\nconnection: close\r\n\r\n");
    expect(answer).toBe("HTTP/1.1 200 OK\r\ncontent-length: 5\r\netag: x\r\nconnection: close\r\n\r\nhello");
    expect(world.dialled).toEqual([`${publicAddress}:80`]);
  });

  it("is the only one of its connection: nothing behind it, judged or not, is sent on", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    let seen = "";
    await world.serve(publicAddress, (socket) =>
      socket.on("data", (piece) => {
        seen += piece.toString("latin1");
        if (seen.includes("\r\n\r\n")) socket.end(ok(""));
      }),
    );
    const hidden = "GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n";
    await askRaw(world.port, get("/") + hidden);
    await askRaw(world.port, get("/", "Content-Length: 2").replace("GET", "POST") + "ab" + hidden);
    await askRaw(
      world.port,
      get("/", "Transfer-Encoding: chunked").replace("GET", "POST") + "2\r\nab\r\n0\r\n\r\n" + hidden,
    );
    expect(seen).not.toContain("evil");
    expect(seen.match(/HTTP\/1\.1\r\n/g)).toHaveLength(3);
  });

  it("with a body in chunks arrives whole", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    let seen = "";
    await world.serve(publicAddress, (socket) =>
      socket.on("data", (piece) => {
        seen += piece.toString("latin1");
        if (seen.endsWith("0\r\n\r\n")) socket.end(ok("done"));
      }),
    );
    const client = await createRawClient(world.port);
    client.send(get("/", "Transfer-Encoding: chunked").replace("GET", "PUT"));
    client.send("3;x=1\r\nabc\r\n");
    client.send("2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n");
    expect(await client.untilClosed()).toMatch(/done$/);
    expect(seen.split("\r\n\r\n").slice(1).join("\r\n\r\n").replaceAll("\r\n", "|")).toBe("3|abc|2|de|0||");
  });

  it("that waits for 100 Continue gets it, and its answer too", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    await world.serve(publicAddress, (socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 100 Continue\r\n\r\n"));
      socket.on("data", (piece) => piece.toString().endsWith("ab") && socket.end(ok("done")));
    });
    const client = await createRawClient(world.port);
    client.send(get("/", "Expect: 100-continue", "Content-Length: 2").replace("GET", "PUT"));
    await client.waitFor(/100 Continue\r\n\r\n/);
    client.send("ab");
    expect(await client.untilClosed()).toMatch(/HTTP\/1\.1 200 OK[^]*done$/);
  });

  /** NET-07: a redirect is the client's to follow, so its target is judged like every other. */
  it("that is redirected is not followed", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    await world.serve(publicAddress, (socket) =>
      socket.once("data", () =>
        socket.end("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"),
      ),
    );
    expect(await askRaw(world.port, get("/"))).toContain("location: http://169.254.169.254/");
    expect(world.dialled).toHaveLength(1);
    expect(
      await askRaw(world.port, "GET http://169.254.169.254/ HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n"),
    ).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["a protocol that nobody asked for", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"],
    ["nothing", ""],
  ])("that is answered with %s is a failure of the upstream", async (_what, bytes) => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    await world.serve(publicAddress, (socket) => socket.once("data", () => socket.end(bytes)));
    expect(await askRaw(world.port, get("/"))).toMatch(/^HTTP\/1\.1 502 egress\.unreachable/);
  });
});

describe("bounds", () => {
  it("a head that does not come, or comes byte by byte, is given up", async () => {
    world = await createEgressWorld({ limits: { headMs: 400 } });
    expect(await askRaw(world.port, "")).toMatch(/^HTTP\/1\.1 408 /);
    const client = await createRawClient(world.port);
    const drip = setInterval(() => client.send("a"), 50);
    expect(await client.untilClosed().finally(() => clearInterval(drip))).toMatch(/^HTTP\/1\.1 408 /);
    await vi.waitFor(() => expect(world.proxy.connectionCount).toBe(0));
  });

  it("a head that is too large, or has a bare line feed, is refused at once", async () => {
    world = await createEgressWorld();
    expect(await askRaw(world.port, `GET http://up.example/${"a".repeat(40_000)} HTTP/1.1`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect(await askRaw(world.port, "GET http://up.example/ HTTP/1.1\n\n")).toMatch(
      /^HTTP\/1\.1 400 egress\.denied/,
    );
    expect(await askRaw(world.port, "GET / HTTP/1.1\r\nHost: up.example\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 .*this is a proxy/,
    );
  });

  it("a source with too many connections is turned away, and let in again when one has ended", async () => {
    world = await createEgressWorld({
      names: { "up.example": () => [publicAddress] },
      limits: { connectionsPerSourceMax: 2 },
    });
    await world.serve(publicAddress, (socket) => socket.resume());
    const first = await openTunnel(world.port, "up.example:443");
    const second = await openTunnel(world.port, "up.example:443");
    expect(await askRaw(world.port, connectTo("up.example:443"))).toMatch(/^HTTP\/1\.1 503 egress\.denied/);
    first.destroy();
    await vi.waitFor(() => expect(world.proxy.connectionCount).toBe(1));
    (await openTunnel(world.port, "up.example:443")).destroy();
    second.destroy();
  });

  it("without a policy every request is refused, with a text that says so", async () => {
    world = await createEgressWorld({ names: { "up.example": () => [publicAddress] } });
    world.setPolicy(null);
    expect(await askRaw(world.port, connectTo("up.example:443"))).toContain("no allowlist has arrived yet");
    world.setPolicy({ ...testPolicy, sources: [] });
    expect(await askRaw(world.port, connectTo("up.example:443"))).toContain(
      "127.0.0.1 belongs to no Sandbox",
    );
    expect(world.resolved).toEqual([]);
  });
});

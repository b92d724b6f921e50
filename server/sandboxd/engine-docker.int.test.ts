import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock, type Clock } from "../platform/clock";
import { createSilentLogger } from "../platform/logger";
import type { ContainerBody } from "./container-spec";
import type { SandboxEngine } from "./engine";
import { createDockerEngine } from "./engine-docker";

const instance = { id: "00000000-0000-4000-8000-000000000001", suffix: "00000000" };
const body: ContainerBody = {
  Image: "x",
  Hostname: "",
  User: "",
  WorkingDir: "",
  Env: [],
  Labels: {},
  HostConfig: {},
};

describe("the engine over its socket, when the engine misbehaves", () => {
  let directory: string;
  let server: Server;
  let engine: SandboxEngine;
  let answer: (incoming: IncomingMessage, response: ServerResponse) => void;
  let requests: string[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "rhumbatron-"));
    const socketPath = join(directory, "engine.sock");
    requests = [];
    server = createServer((incoming, response) => {
      requests.push(`${incoming.method ?? ""} ${incoming.url ?? ""}`);
      answer(incoming, response);
    });
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    const system = createSystemClock();
    // A deadline of ten seconds passes in a fifth of one.
    const clock: Clock = { ...system, sleep: (ms, signal) => system.sleep(ms / 50, signal) };
    engine = createDockerEngine({ socketPath, instance, clock, logger: createSilentLogger() });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true, force: true });
  });

  const say = (status: number, message: unknown) => (incoming: IncomingMessage, response: ServerResponse) => {
    incoming.resume();
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(message));
  };

  it("a create without an answer ends at its deadline and is not sent twice", async () => {
    answer = (incoming) => void incoming.resume();
    await expect(engine.createContainer("name", body)).rejects.toMatchObject({ kind: "unavailable" });
    expect(requests).toEqual(["POST /containers/create?name=name"]);
  });

  it("a create whose connection is cut is not sent twice", async () => {
    answer = (incoming) => incoming.socket.destroy();
    await expect(engine.createContainer("name", body)).rejects.toMatchObject({ kind: "unavailable" });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [500, "refused"],
    [409, "conflict"],
    [404, "absent"],
    [503, "unavailable"],
  ])("a status of %i is told apart as %s", async (status, kind) => {
    answer = say(status, { message: "said the engine" });
    await expect(engine.createContainer("name", body)).rejects.toMatchObject({ kind });
  });

  it("a network that overlaps is told apart from one that the proxy refuses", async () => {
    const network = { Name: "n" } as Parameters<SandboxEngine["createNetwork"]>[0];
    answer = say(403, { message: "Pool overlaps with other one on this address space" });
    await expect(engine.createNetwork(network)).rejects.toMatchObject({ kind: "overlap" });
    answer = say(403, { message: "no", refusedBy: "docker-proxy" });
    await expect(engine.createNetwork(network)).rejects.toMatchObject({ kind: "refused" });
  });

  it("starting what runs, and removing what is not there, is done", async () => {
    answer = (incoming, response) => {
      incoming.resume();
      response.writeHead(304).end();
    };
    await engine.startContainer("a");
    answer = say(404, { message: "No such container" });
    expect(await engine.removeContainer("a")).toBe("done");
    expect(await engine.findContainer("a")).toBeNull();
    answer = say(409, { message: "removal of container is already in progress" });
    expect(await engine.removeContainer("a")).toBe("in_progress");
  });

  it("an answer that is no JSON of the engine's is an error, not a result", async () => {
    answer = (incoming, response) => {
      incoming.resume();
      response.writeHead(200).end("<html>");
    };
    await expect(engine.listContainers()).rejects.toMatchObject({ name: "EngineError" });
  });

  it("an engine that is not there is unavailable at once", async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(engine.listContainers()).rejects.toMatchObject({ kind: "unavailable" });
    server.listen(join(directory, "other.sock"));
  });
});

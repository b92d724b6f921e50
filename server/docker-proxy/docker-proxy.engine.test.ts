import { randomUUID } from "node:crypto";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  labelsOf,
  sandboxContainerName,
  sandboxNetworkName,
  serviceContainerName,
} from "../platform/instance";
import { containerBody, supervisorExecBody, type ContainerBody } from "../sandboxd/container-spec";
import { createEngineInstance, newSandboxId, type EngineInstance } from "../testing/engine-instance";
import { testRuntimes } from "../testing/int-environment";
import { ensureLive } from "../testing/sandbox-command";

interface Answer {
  status: number;
  body: { message?: string; refusedBy?: string; Id?: string };
}

/** What breaks here hands the host to whoever takes over sandboxd: its connection is all that they have then. */
describe.each(testRuntimes)("a stolen connection to the socket proxy on %s", (runtime) => {
  let one: EngineInstance;
  let other: EngineInstance;
  let sandboxContainerId: string;
  let othersContainerId: string;
  let body: ContainerBody;

  beforeAll(async () => {
    one = await createEngineInstance(runtime);
    other = await createEngineInstance(runtime);
    await Promise.all([one.startServices(), one.startSandboxd(), other.startSandboxd()]);
    sandboxContainerId = (await ensureLive(one.sandboxes, newSandboxId())).runtimeId;
    othersContainerId = (await ensureLive(other.sandboxes, newSandboxId())).runtimeId;
    const image = await one.docker.getImage(one.settings.SANDBOX_IMAGE).inspect();
    body = containerBody({
      settings: one.settings,
      instance: one.instance,
      imageId: image.Id,
      traits: { canBoundDisk: false, hasPrivateCgroupNamespace: true },
      networkNumber: 2,
    });
  });
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
  });

  const warmName = (): string =>
    sandboxContainerName(one.instance, `warm-${randomUUID().replaceAll("-", "")}`);
  const ask = (method: string, target: string, payload?: unknown): Promise<Answer> =>
    send(one.proxySocket, method, target, payload);
  const snapshot = async (): Promise<string[]> => {
    const containers = await one.docker.listContainers({ all: true });
    const networks = await one.docker.listNetworks();
    const lines = [
      ...containers.map(({ Id, Names, State }) => `${Names.join()} ${State} ${Id}`),
      ...networks.map(({ Name, Id }) => `${Name} ${Id}`),
    ];
    return lines
      .filter((line) => line.includes(one.instance.suffix) || line.includes(other.instance.suffix))
      .sort();
  };

  it("can create what sandboxd creates", async () => {
    const answer = await ask("POST", `/containers/create?name=${warmName()}`, body);
    expect(answer).toMatchObject({ status: 201 });
    expect((await ask("DELETE", `/containers/${answer.body.Id ?? ""}?force=true&v=true`)).status).toBe(204);
  });

  it("creates nothing else, and the engine shows nothing of the attempts", async () => {
    const before = await snapshot();
    const host = (change: Record<string, unknown>): unknown => ({
      ...body,
      HostConfig: { ...body.HostConfig, ...change },
    });
    const bodies = [
      host({ Privileged: true }),
      host({ Binds: ["/:/host"] }),
      host({ Mounts: [{ Type: "bind", Source: "/", Target: "/host" }] }),
      host({ VolumesFrom: [sandboxContainerId] }),
      host({ Devices: [{ PathOnHost: "/dev/vda", PathInContainer: "/dev/vda", CgroupPermissions: "rwm" }] }),
      host({ CapAdd: ["SYS_ADMIN"] }),
      host({ PidMode: "host" }),
      host({ IpcMode: "host" }),
      host({ NetworkMode: "host" }),
      host({ NetworkMode: sandboxNetworkName(other.instance, other.settings.SANDBOX_NETWORK, 1) }),
      host({ UsernsMode: "host" }),
      host({ SecurityOpt: ["seccomp=unconfined"] }),
      host({ SecurityOpt: [] }),
      host({ Runtime: runtime === "runc" ? "runsc" : "runc" }),
      host({ Memory: 0 }),
      host({ memory: 1 }),
      host({ PortBindings: { "80/tcp": [{ HostPort: "80" }] } }),
      { ...body, Image: one.settings.SANDBOX_IMAGE },
      { ...body, Cmd: ["sh"] },
      { ...body, Entrypoint: ["sh"] },
      { ...body, Volumes: { "/x": {} } },
      { ...body, Labels: { ...body.Labels, "rhumbatron.instance": other.instance.id } },
      { ...body, NetworkingConfig: { EndpointsConfig: { host: {} } } },
    ];
    for (const attempt of bodies) {
      expect(await ask("POST", `/containers/create?name=${warmName()}`, attempt)).toMatchObject({
        status: 403,
        body: { refusedBy: "docker-proxy" },
      });
    }
    const names = [
      "evil",
      sandboxContainerName(one.instance, newSandboxId()),
      sandboxContainerName(other.instance, "warm-x"),
    ];
    for (const name of names)
      expect((await ask("POST", `/containers/create?name=${name}`, body)).status).toBe(403);
    expect(await snapshot()).toEqual(before);
  });

  it("reaches no container of another instance and no service with more than a look", async () => {
    const before = await snapshot();
    const git = serviceContainerName(one.instance, "git");
    const calls: [string, string, unknown?][] = [
      ["GET", `/containers/${othersContainerId}/json`],
      ["DELETE", `/containers/${othersContainerId}?force=true&v=true`],
      ["POST", `/containers/${othersContainerId}/exec`, supervisorExecBody],
      [
        "POST",
        `/containers/${othersContainerId}/rename?name=${sandboxContainerName(one.instance, newSandboxId())}`,
      ],
      ["DELETE", `/containers/${git}?force=true`],
      ["POST", `/containers/${git}/exec`, supervisorExecBody],
      ["POST", `/containers/${git}/rename?name=${warmName()}`],
      ["POST", `/containers/${git}/start`],
      ["POST", `/containers/${sandboxContainerId}/rename?name=evil`],
      [
        "POST",
        `/containers/${sandboxContainerId}/rename?name=${sandboxContainerName(other.instance, newSandboxId())}`,
      ],
      ["DELETE", `/networks/${sandboxNetworkName(other.instance, other.settings.SANDBOX_NETWORK, 1)}`],
      ["DELETE", "/networks/bridge"],
    ];
    for (const [method, target, payload] of calls) {
      expect({ target, status: (await ask(method, target, payload)).status }).toEqual({
        target,
        status: 403,
      });
    }
    const list = await ask("GET", `/containers/json?all=true&filters=${encodeURIComponent("{}")}`);
    expect(JSON.stringify(list.body)).not.toContain(othersContainerId);
    expect(await snapshot()).toEqual(before);
  });

  it("runs nothing but the way to the supervisor", async () => {
    const changes = [
      { Cmd: ["sh"] },
      { Cmd: ["nc", "-U", "/run/rhumbatron/supervisor.sock"] },
      { Privileged: true },
      { Tty: true },
      { Env: ["A=b"] },
      { User: "10000" },
      { WorkingDir: "/tmp" },
    ];
    for (const change of changes) {
      const target = `/containers/${sandboxContainerId}/exec`;
      expect((await ask("POST", target, { ...supervisorExecBody, ...change })).status).toBe(403);
    }
    const byHand = await one.docker
      .getContainer(sandboxContainerId)
      .exec({ Cmd: ["id"], AttachStdout: true });
    const others = await one.docker.getContainer(othersContainerId).exec(supervisorExecBody);
    for (const { id } of [byHand, others]) {
      expect(await upgrade(one.proxySocket, `/exec/${id}/start`, '{"Detach":false,"Tty":false}')).toContain(
        "403",
      );
    }
    const own = await one.docker.getContainer(sandboxContainerId).exec(supervisorExecBody);
    expect(await upgrade(one.proxySocket, `/exec/${own.id}/start`, '{"Detach":true,"Tty":false}')).toContain(
      "403",
    );
    expect(await upgrade(one.proxySocket, `/exec/${own.id}/start`, '{"Detach":false,"Tty":false}')).toContain(
      "101",
    );
  });

  it("makes no network but a sandbox's and puts nothing on one but git and egress in their places", async () => {
    const before = await snapshot();
    const name = sandboxNetworkName(one.instance, one.settings.SANDBOX_NETWORK, 1);
    const network = (await one.docker.getNetwork(name).inspect()) as { Id: string };
    const labels = { ...labelsOf(one.instance, "sandbox-network"), "rhumbatron.network": "4" };
    const wide = {
      Name: sandboxNetworkName(one.instance, one.settings.SANDBOX_NETWORK, 4),
      Driver: "bridge",
      Labels: labels,
    };
    const endpoint = { Aliases: ["git"], IPAMConfig: { IPv4Address: "10.231.255.9" } };
    const calls: [string, unknown][] = [
      ["/networks/create", wide],
      ["/networks/create", { ...wide, Driver: "host" }],
      [`/networks/${network.Id}/connect`, { Container: sandboxContainerId }],
      [`/networks/${network.Id}/connect`, { Container: othersContainerId }],
      [
        `/networks/${network.Id}/connect`,
        { Container: serviceContainerName(one.instance, "git"), EndpointConfig: endpoint },
      ],
      ["/networks/bridge/connect", { Container: serviceContainerName(one.instance, "git") }],
      [`/networks/${network.Id}/disconnect`, { Container: sandboxContainerId, Force: true }],
    ];
    for (const [target, payload] of calls) {
      expect({ target, status: (await ask("POST", target, payload)).status }).toEqual({
        target,
        status: 403,
      });
    }
    expect(await snapshot()).toEqual(before);
  });

  it("is refused every other call, and every other spelling of an allowed one", async () => {
    const id = sandboxContainerId;
    const calls: [string, string][] = [
      ["POST", "/images/create?fromImage=x"],
      ["POST", "/build"],
      ["POST", "/commit"],
      ["GET", "/images/json"],
      ["GET", "/images/oven/bun:1.3.14-debian/json"],
      ["GET", `/containers/${id}/logs?stdout=1`],
      ["GET", `/containers/${id}/export`],
      ["GET", `/containers/${id}/archive?path=/etc`],
      ["PUT", `/containers/${id}/archive?path=/`],
      ["GET", `/containers/${id}/attach/ws`],
      ["POST", `/containers/${id}/attach`],
      ["POST", `/containers/${id}/update`],
      ["POST", `/containers/${id}/pause`],
      ["POST", `/containers/${id}/kill`],
      ["POST", "/containers/prune"],
      ["POST", "/volumes/create"],
      ["GET", "/volumes"],
      ["GET", "/events"],
      ["POST", "/swarm/init"],
      ["GET", "/secrets"],
      ["GET", "/plugins"],
      ["POST", "/session"],
      ["GET", `/containers/${id}/../${id}/json`],
      ["GET", `//containers/${id}/json`],
      ["GET", `/containers/%2e%2e/json`],
      ["GET", `/containers/${id}%2fjson`],
      ["GET", `/CONTAINERS/${id}/json`],
      ["GET", `/v1.41/../containers/${id}/json`],
      ["GET", `http://engine/containers/${id}/json`],
      ["GET", `/containers/json?all=1&all=0`],
      ["GET", `/containers/json?size=1`],
      ["HEAD", "/_ping"],
    ];
    for (const [method, target] of calls) {
      expect({ target, status: (await ask(method, target)).status }).toEqual({ target, status: 403 });
    }
    expect((await ask("GET", `/v1.41/containers/${id}/json`)).status).toBe(200);
    expect((await ask("GET", "/containers/nobody/json")).status).toBe(404);
  });

  it("refuses requests on whose end two readers could disagree", async () => {
    const json = JSON.stringify(supervisorExecBody);
    const start = `POST /containers/${sandboxContainerId}/exec HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
    const requests = [
      `${start}${chunked}`,
      `${start}Content-Length: ${json.length}\r\n${chunked}`,
      `${start}Content-Length: ${json.length}\r\nContent-Length: 1\r\n\r\n${json}`,
      `${start}Content-Length: 70000\r\n\r\n${" ".repeat(70_000)}`,
      `GET /version HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n`,
      `POST /exec/${"a".repeat(64)}/start HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\n{}`,
      `GET /version HTTP/1.0\r\n\r\n`,
      `CONNECT engine:80 HTTP/1.1\r\nHost: x\r\n\r\n`,
    ];
    for (const text of requests) {
      expect({ text: text.slice(0, 300), answer: await raw(one.proxySocket, text) }).toMatchObject({
        answer: expect.stringMatching(/^HTTP\/1\.1 40[03] /) as string,
      });
    }
    const twice = json.replace('"Tty":false', '"Tty":true,"Tty":false');
    const answer = await raw(one.proxySocket, `${start}Content-Length: ${twice.length}\r\n\r\n${twice}`);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});

function send(socketPath: string, method: string, target: string, payload?: unknown): Promise<Answer> {
  const text = payload === undefined ? "" : JSON.stringify(payload);
  return new Promise((resolve, reject) => {
    const headers =
      payload === undefined
        ? {}
        : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
    const outgoing = request(
      { socketPath, method, path: target, headers, agent: false },
      (response: IncomingMessage) => {
        let received = "";
        response.on("data", (piece: Buffer) => (received += piece.toString("utf8")));
        response.on("end", () => {
          const body =
            received === "" || !received.trimStart().startsWith("{")
              ? { message: received }
              : (JSON.parse(received) as Answer["body"]);
          resolve({ status: response.statusCode ?? 0, body });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

/** Sends bytes as they are and gives the beginning of the answer. */
function raw(socketPath: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath });
    socket.once("data", (piece: Buffer) => {
      resolve(piece.toString("utf8"));
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve("closed"));
    socket.write(text);
  });
}

function upgrade(socketPath: string, target: string, body: string): Promise<string> {
  const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Type: application/json\r\n`;
  return raw(socketPath, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}

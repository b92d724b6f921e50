import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceContainerName } from "../platform/instance";
import { createEngineInstance, newSandboxId, type EngineInstance } from "../testing/engine-instance";
import { testRuntimes } from "../testing/int-environment";
import { runInSandbox } from "../testing/sandbox-command";
import type { SandboxId, SandboxRecord } from "./types";

/** What breaks here lets an agent's code reach the host, the database, a sibling or the internet. */
describe.each(testRuntimes)("from inside a Sandbox on %s", (runtime) => {
  let one: EngineInstance;
  let listener: Server;
  let port: number;
  let sandboxId: SandboxId;
  let own: SandboxRecord;
  let sibling: SandboxRecord;

  beforeAll(async () => {
    one = await createEngineInstance(runtime, { SANDBOX_MAX: "2" });
    await one.startServices();
    await one.startSandboxd();
    listener = createServer((socket) => socket.end("host"));
    await new Promise<void>((resolve) => listener.listen(0, "0.0.0.0", resolve));
    const address = listener.address();
    if (address === null || typeof address === "string") throw new Error("the host's listener has a port");
    port = address.port;
    sandboxId = newSandboxId();
    const siblingId = newSandboxId();
    own = await start(sandboxId);
    sibling = await start(siblingId);
    const standIn = `Bun.listen({ hostname: "0.0.0.0", port: 4000, socket: { open(s) { s.end("sibling"); }, data() {} } });`;
    await one.docker
      .getContainer(sibling.runtimeId ?? "")
      .exec({ Cmd: ["bun", "-e", standIn] })
      .then((exec) => exec.start({ Detach: true }));
  });
  afterAll(async () => {
    listener.close();
    await one.close();
  });

  const start = async (id: SandboxId): Promise<SandboxRecord> => {
    const result = await one.sandboxes.ensure({ sandboxId: id });
    if (result.status !== "live") throw new Error("the Sandbox is not live");
    return result.sandbox;
  };
  /** What each of these targets says within two seconds; empty when nothing does. */
  const reach = async (
    targets: readonly (readonly [host: string, port: number])[],
  ): Promise<Record<string, string>> => {
    const script = `
      const { connect } = require("node:net");
      const reach = ([host, port]) => new Promise((resolve) => {
        const socket = connect({ host, port });
        const end = (text) => { socket.destroy(); resolve([host + " " + port, text]); };
        socket.on("data", (data) => end(String(data)));
        socket.on("connect", () => setTimeout(() => end("connected"), 1000));
        socket.on("error", () => end(""));
        setTimeout(() => end(""), 2500);
      });
      console.log(JSON.stringify(Object.fromEntries(await Promise.all(${JSON.stringify(targets)}.map(reach)))));
    `;
    const { stdout, stderr } = await runInSandbox(one.sandboxes, sandboxId, ["bun", "-e", script]);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const silent = (targets: readonly (readonly [string, number])[]): Record<string, string> =>
    Object.fromEntries(targets.map(([host, at]) => [`${host} ${at}`, ""]));

  it("git and egress answer by name", async () => {
    expect(
      await reach([
        ["git", 8080],
        ["egress", 3128],
      ]),
    ).toEqual({
      "git 8080": "hello from 8080",
      "egress 3128": "hello from 3128",
    });
  });

  it("their control ports do not answer, on any of their addresses", async () => {
    const ordinary = await Promise.all(
      (["git", "egress"] as const).map(async (service) => {
        const facts = await one.docker.getContainer(serviceContainerName(one.instance, service)).inspect();
        return Object.values(facts.NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
      }),
    );
    const targets = [["git", 8081] as const, ["egress", 3129] as const];
    const byAddress = ordinary
      .flat()
      .flatMap((address) => [[address, 8081] as const, [address, 3129] as const]);
    expect(await reach([...targets, ...byAddress])).toEqual(silent([...targets, ...byAddress]));
  });

  it("the host does not answer on any of its addresses, its gateway, the sibling and the metadata address neither", async () => {
    const hosts = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address, family, scopeid }) => (family === "IPv6" && scopeid ? `${address}%eth0` : address));
    const gateway = (own.address ?? "").replace(/\d+$/, (last) =>
      String(Number(last) - (Number(last) % 16) + 1),
    );
    const targets = [
      ...[...hosts, gateway].flatMap((host) => [[host, port] as const, [host, 22] as const]),
      [sibling.address ?? "", 4000] as const,
      ["169.254.169.254", 80] as const,
      ["1.1.1.1", 53] as const,
      ["2606:4700:4700::1111", 53] as const,
    ];
    expect(await reach(targets)).toEqual(silent(targets));
  });

  it("names outside are not resolved, and neither is the sibling", async () => {
    const script = `
      const { lookup } = require("node:dns/promises");
      const names = ["example.com", "secret.evil.example", "host.docker.internal", ${JSON.stringify(sibling.runtimeId?.slice(0, 12))}, "registry.npmjs.org"];
      const timeout = () => new Promise((_, reject) => setTimeout(reject, 8000));
      const found = await Promise.all(names.map((name) => Promise.race([lookup(name), timeout()]).then((answer) => name + " " + answer.address, () => null)));
      console.log(JSON.stringify(found.filter((one) => one !== null)));
      process.exit(0);
    `;
    const { stdout } = await runInSandbox(one.sandboxes, sandboxId, ["bun", "-e", script]);
    expect(stdout.trim()).toBe("[]");
  });

  it("no raw or packet socket opens and no network setting can be changed", async () => {
    const tries = [
      ["perl", "-MSocket", "-e", "socket(S, AF_INET, SOCK_RAW, 1) ? exit 0 : exit 9"],
      ["perl", "-e", "socket(S, 17, 3, 0) ? exit 0 : exit 9"],
    ];
    for (const argv of tries) {
      expect({ argv, end: await runInSandbox(one.sandboxes, sandboxId, argv) }).toMatchObject({
        end: { exitCode: 9 },
      });
    }
    const routes = await runInSandbox(one.sandboxes, sandboxId, ["cat", "/proc/sys/net/ipv4/ip_forward"]);
    const write = await runInSandbox(one.sandboxes, sandboxId, [
      "sh",
      "-c",
      "echo 1 > /proc/sys/net/ipv4/ip_forward",
    ]);
    expect(routes.stdout === "" || write.exitCode !== 0).toBe(true);
  });
});

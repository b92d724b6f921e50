import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxNetworkName, serviceContainerName } from "../platform/instance";
import { createEngineInstance, newSandboxId, type EngineInstance } from "../testing/engine-instance";
import { testRuntimes } from "../testing/int-environment";
import { ensureLive, runInSandbox, testCommand, testDirectory, testUid } from "../testing/sandbox-command";
import { until } from "../testing/until";
import type { SandboxdHealth } from "./health";

describe.each(testRuntimes)("the upkeep of sandboxd on %s", (runtime) => {
  let one: EngineInstance;

  beforeAll(async () => {
    one = await createEngineInstance(runtime, { SANDBOX_MAX: "2", SANDBOX_IDLE_MS: "2000" });
    await one.startServices();
    await one.startSandboxd();
  });
  afterAll(() => one.close());

  it("keeps a Sandbox while a command runs in it or a longer promise holds, and removes it when it is idle", async () => {
    const idle = newSandboxId();
    const promised = newSandboxId();
    await ensureLive(one.sandboxes, idle);
    await one.sandboxes.ensure({ sandboxId: promised, sleepAfterMs: 600_000 });
    await one.sandboxes.prepareRun({ sandboxId: idle, uid: testUid, directory: testDirectory });
    const end = await one.sandboxes.exec({ sandboxId: idle, ...testCommand(["sleep", "6"]) });
    expect(end).toMatchObject({ status: "exited", exitCode: 0 });
    expect(await one.sandboxes.find(idle)).toMatchObject({ state: "live" });
    await until("it is removed", async () => (await one.sandboxes.find(idle))?.state === "gone");
    expect(await one.sandboxes.find(idle)).toMatchObject({ endReason: "idle" });
    expect(await one.sandboxes.find(promised)).toMatchObject({ state: "live" });
    await one.sandboxes.remove({ sandboxId: promised });
  });

  it("replaces a network that was changed from outside, and puts a service back that was made anew", async () => {
    const name = sandboxNetworkName(one.instance, one.settings.SANDBOX_NETWORK, 1);
    const git = one.docker.getContainer(serviceContainerName(one.instance, "git"));
    await one.docker
      .getNetwork(name)
      .disconnect({ Container: serviceContainerName(one.instance, "egress"), Force: true });
    await git.remove({ force: true });
    await until("health names what is missing", async () => {
      const health = await readHealth(one.sandboxdSocket);
      return (
        health.status === "degraded" && health.detail.includes(serviceContainerName(one.instance, "git"))
      );
    });
    await one.docker
      .getNetwork(name)
      .disconnect({ Container: serviceContainerName(one.instance, "egress"), Force: true });
    await one.docker.getNetwork(name).remove();
    const open = await one.docker.createNetwork({
      Name: name,
      Internal: false,
      Labels: {
        "rhumbatron.instance": one.instance.id,
        "rhumbatron.purpose": "sandbox-network",
        "rhumbatron.network": "1",
      },
    });
    await one.startServices();
    await until("the network is proper again", async () => {
      const networks = await one.docker.listNetworks({ filters: { name: [name] } });
      const [found] = networks;
      if (networks.length !== 1 || found === undefined || found.Id === open.id || !found.Internal)
        return false;
      const facts = (await one.docker.getNetwork(found.Id).inspect()) as {
        Containers: Record<string, unknown>;
      };
      return Object.keys(facts.Containers).length === 2;
    });
    await until("health is good again", async () => (await readHealth(one.sandboxdSocket)).status === "ok");
    const sandboxId = newSandboxId();
    await ensureLive(one.sandboxes, sandboxId);
    const reached = await runInSandbox(one.sandboxes, sandboxId, ["nc", "-w", "3", "git", "8080"]);
    expect(reached.stdout).toBe("hello from 8080");
    await one.sandboxes.remove({ sandboxId });
  });
});

function readHealth(socketPath: string): Promise<SandboxdHealth> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path: "/health", agent: false }, (response) => {
      let text = "";
      response.on("data", (piece: Buffer) => (text += piece.toString("utf8")));
      response.on("end", () => resolve(JSON.parse(text) as SandboxdHealth));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

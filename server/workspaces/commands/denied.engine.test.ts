import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEgressPublisher } from "../../egress/publisher";
import { createRefusals } from "../../egress/refusals";
import { createPolicyVersions } from "../../egress/store";
import { serviceContainerName, serviceNetworkName, labelsOf } from "../../platform/instance";
import { createSilentLogger } from "../../platform/logger";
import { startEgressContainer } from "../../testing/egress-container";
import { testRuntimes } from "../../testing/int-environment";
import type { WorkspaceProcess } from "../../testing/workspace-process";
import { openTestRun } from "../../testing/workspace-run";
import {
  createWorkspaceWorld,
  type WorkspaceProject,
  type WorkspaceWorld,
} from "../../testing/workspace-world";

const allowed = [{ host: "registry.example", address: null }];
const told = (target: string): string =>
  `egress.denied: ${target} is not on the allowlist (registry.example); an admin can add it under Settings, Egress\n`;
/** More than a Sandbox keeps of a stream, so that the middle is dropped. */
const flood = `const line = "e".repeat(1023) + "\\n"; for (let n = 0; n < 17 * 1024; n++) process.stderr.write(line);`;
const ask = `for (const url of process.argv.slice(2)) await fetch(url).then((answer) => answer.text(), () => "");`;

describe.each(testRuntimes)("on %s, a command is told what egress refused to it:", (runtime) => {
  let world: WorkspaceWorld;
  let project: WorkspaceProject;
  let web: WorkspaceProcess;
  let mute: WorkspaceProcess;

  beforeAll(async () => {
    world = await createWorkspaceWorld(runtime, { startsEgress: false });
    const { instance, sandboxes } = world.engine;
    const control = await startEgressContainer({
      name: serviceContainerName(instance, "egress"),
      labels: labelsOf(instance, "egress"),
      network: serviceNetworkName(instance),
    });
    const logger = createSilentLogger();
    const publisher = createEgressPublisher({
      sandboxes,
      control,
      versions: createPolicyVersions(world.db),
      listAllowed: () => Promise.resolve(allowed),
      hostAddresses: [],
      clock: world.clock,
      logger,
    });
    const allowlist = {
      list: () => Promise.resolve(allowed.map((one) => ({ ...one, source: "environment" as const }))),
    };
    const publishSandboxes = (): Promise<void> => publisher.publish();
    web = world.startProcess({ publishSandboxes, refusals: createRefusals({ control, allowlist, logger }) });
    const silent = { listRefused: () => Promise.reject(new Error("unreachable")) };
    mute = world.startProcess({
      publishSandboxes,
      refusals: createRefusals({ control: silent, allowlist, logger }),
    });
    project = await world.createProject({
      "package.json": JSON.stringify({
        scripts: {
          ask: "bun ask.ts https://api.denied.test/ http://plain.denied.test/ https://api.denied.test:8443/",
          again: "bun ask.ts https://again.denied.test/",
          flood: "bun ask.ts https://late.denied.test/ && bun flood.ts",
          calm: "echo calm",
        },
        dependencies: { away: "https://tarballs.denied.test/away.tgz" },
      }),
      "ask.ts": ask,
      "flood.ts": flood,
    });
  });
  afterAll(() => world.close());

  it("bun install, which shows no more than a status, gets the host and the allowlist as its last line", async () => {
    const run = await openTestRun(world, web, project);
    const end = await run.run("bun install");
    expect(end).toMatchObject({ status: "exited", exitCode: 1 });
    if (end.status !== "exited") return;
    expect(end.stderr.text.endsWith(`\n${told("tarballs.denied.test:443")}`)).toBe(true);
    const { commandId } = end;
    const stored = await web.workspaces.readOutput(run.agent, {
      runId: run.runId,
      commandId,
      stream: "stderr",
      offset: 0,
      limit: 60_000,
    });
    expect(Buffer.from(stored.base64, "base64").toString("utf8")).toBe(end.stderr.text);
    expect(stored).toMatchObject({ complete: true });
    await run.close();
  });

  it("each target once, in the result and in the Run's log, and nothing of earlier commands or other Runs", async () => {
    const [run, other] = [await openTestRun(world, web, project), await openTestRun(world, web, project)];
    const [end] = await Promise.all([run.run("bun run ask"), other.run("bun run again")]);
    expect(end).toMatchObject({ status: "exited", exitCode: 0 });
    if (end.status !== "exited") return;
    expect(
      end.stderr.text
        .split("\n")
        .filter((line) => line.startsWith("egress.denied"))
        .sort(),
    ).toEqual(
      [
        told("api.denied.test:443").trimEnd(),
        told("plain.denied.test:80").trimEnd(),
        "egress.denied: api.denied.test:8443 was refused: only https:// on port 443 and http:// on port 80 are let through",
      ].sort(),
    );
    const { signal } = new AbortController();
    let logged = "";
    for await (const event of web.workspaces.streamEvents(run.agent, {
      runId: run.runId,
      lastSeq: 0,
      signal,
    })) {
      if (event.data["commandId"] !== end.commandId) continue;
      if (event.kind === "output" && event.data["stream"] === "stderr") logged += String(event.data["text"]);
      if (event.kind === "command" && event.data["status"] !== "running") {
        expect(event.data["stderrBytes"]).toBe(Buffer.byteLength(end.stderr.text));
        break;
      }
    }
    expect(logged).toBe(end.stderr.text);
    const calm = await run.run("bun run calm");
    expect(calm).toMatchObject({ status: "exited", stdout: { text: "calm\n" } });
    expect(JSON.stringify(calm)).not.toContain("egress.denied");
    await run.close();
    await other.close();
  });

  it("also at the end of an stderr that is too long to be kept whole", async () => {
    const run = await openTestRun(world, web, project);
    const end = await run.run("bun run flood");
    expect(end).toMatchObject({ status: "exited", exitCode: 0, stderr: { truncated: true } });
    if (end.status !== "exited") return;
    expect(end.stderr.text.endsWith(`e\n${told("late.denied.test:443")}`)).toBe(true);
    await run.close();
  });

  it("and not when egress cannot be asked, which delays and breaks nothing", async () => {
    const run = await openTestRun(world, mute, project);
    const end = await run.run("bun run again");
    expect(end).toMatchObject({ status: "exited", exitCode: 0 });
    expect(JSON.stringify(end)).not.toContain("egress.denied");
    await run.close();
  });
});

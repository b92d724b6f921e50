import { describe, expect, it } from "vitest";
import type { Actor } from "../access/types";
import { createSilentLogger } from "../platform/logger";
import { createFakeClock } from "../testing/fake-clock";
import { createFakeIds } from "../testing/fake-ids";
import { createFakeProjects } from "../testing/fake-projects";
import type { CommandResult } from "../workspaces/schema";
import { createDemo, type Demo } from "./service";
import type { AgentTools } from "./types";

const actor: Actor = { id: "0".repeat(8), kind: "person", name: "Ada" };

const output = { text: "", totalBytes: 0, truncated: false };
const exited = (exitCode: number): CommandResult => ({
  status: "exited",
  commandId: "command",
  argv: [],
  exitCode,
  signal: null,
  durationMs: 1,
  stdout: output,
  stderr: output,
});

/** A demo on tools that answer as a healthy workspace does, or as the test says. */
function createWorld(change: Partial<AgentTools> = {}) {
  const calls: string[] = [];
  const tests = [exited(1), exited(0)];
  const ids = createFakeIds();
  const said = <Answer>(name: string, answer: Answer) => {
    calls.push(name);
    return Promise.resolve(answer);
  };
  const tools: AgentTools = {
    open: () =>
      said("open", {
        status: "open",
        runId: "run",
        sandboxId: "proj-1",
        directory: "/w",
        forkName: "ws-run",
        baseCommit: "b".repeat(40),
        reservedSeconds: 300,
      }),
    listFiles: () => said("listFiles", { items: [] }),
    readFile: () => said("readFile", { sha256: null }),
    editFile: () => said("editFile", {}),
    runCommand: ({ command }) =>
      said(command, command === "bun test" ? (tests.shift() ?? exited(0)) : exited(0)),
    waitCommand: () => said("waitCommand", exited(0)),
    completeTask: () =>
      said("completeTask", {
        status: "proposed",
        changeSetId: "changeSet",
        seriesId: "changeSet",
        version: 1,
        baseCommit: "b".repeat(40),
        headCommit: "c".repeat(40),
        filesChanged: 1,
        insertions: 1,
        deletions: 1,
      }),
    failTask: ({ reason }) => said(`failTask: ${reason}`, {}),
    ...change,
  };
  const projects = createFakeProjects(() => ids.uuid());
  const demo: Demo = createDemo({
    access: {
      createToken: () => said("createToken", { id: "token", token: "secret" }),
      revokeToken: () =>
        said("revokeToken", {
          id: "token",
          role: "agent",
          label: "demo",
          projectId: null,
          changeId: null,
          createdAt: new Date(0),
          expiresAt: null,
          revokedAt: new Date(0),
        }),
    },
    projects,
    git: {
      seedRepository: ({ files }) =>
        said(`seed ${files.map(({ path }) => path).join()}`, { commit: "b".repeat(40) }),
    },
    toolsFor: () => Promise.resolve(tools),
    declareIntent: ({ refusalId, body }) => said(`intent ${refusalId}: ${body}`, undefined),
    readSample: () => Promise.resolve([{ path: "src/total.ts", content: Buffer.from("x") }]),
    clock: createFakeClock(),
    logger: createSilentLogger(),
  });
  return { demo, calls, over: () => expect.poll(() => calls.at(-1)).toBe("revokeToken") };
}

describe("the demo", () => {
  it("mends the sample and proposes it, and leaves no token that still works", async () => {
    const { demo, calls, over } = createWorld();
    await demo.start(actor);
    await over();
    expect(calls).toEqual([
      "seed src/total.ts",
      "createToken",
      "open",
      "listFiles",
      "readFile",
      "bun install",
      "bun test",
      "editFile",
      "bun test",
      "completeTask",
      "revokeToken",
    ]);
  });

  it("started twice at once is one demo, and another one once it is over", async () => {
    const { demo, calls, over } = createWorld();
    const [first, second] = await Promise.all([demo.start(actor), demo.start(actor)]);
    expect(second).toEqual(first);
    await over();
    await expect.poll(async () => (await demo.start(actor)).projectId).not.toBe(first.projectId);
    expect(calls.filter((call) => call.startsWith("seed"))).toHaveLength(2);
  });

  it("that meets what it does not expect fails its Run with the reason", async () => {
    const { demo, calls, over } = createWorld({ runCommand: () => Promise.resolve(exited(7)) });
    await demo.start(actor);
    await over();
    expect(calls).toContain("failTask: bun install did not end as the demo expects.");
    expect(calls.at(-1)).toBe("revokeToken");
  });

  it("that gets no workspace writes down what it would have done, and why it did not", async () => {
    const { demo, calls, over } = createWorld({
      open: () =>
        Promise.resolve({
          status: "refused",
          refusalId: "refusal",
          reason: "meter_exhausted",
          message: "The month is used up.",
          limit: 10,
          used: 10,
        }),
    });
    await demo.start(actor);
    await over();
    expect(calls.find((call) => call.startsWith("intent refusal"))).toContain("The month is used up.");
    expect(calls.at(-1)).toBe("revokeToken");
  });
});

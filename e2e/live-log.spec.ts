import type { Locator } from "@playwright/test";
import { makeAgent } from "./agent";
import { makeProject, openRun } from "./proposals";
import { expect, test, type Api } from "./session";

/** Writes a line, then waits for a file that lets it go on: nothing here depends on how long anything takes. */
const slowScript = `
import { existsSync } from "node:fs";
const untilThereIs = async (path) => {
  while (!existsSync(path)) await Bun.sleep(20);
};
console.log("first line");
console.log("\\x1b[31mred words\\x1b[0m and plain words");
for (const percent of [10, 60, 100]) process.stdout.write("\\r" + percent + " percent");
process.stdout.write("\\n");
await untilThereIs("go-1");
console.log("second line");
await untilThereIs("go-2");
console.log("last line");
`;

test("a command's output is on the page while it runs, in order, in its colours, and after a reload too", async ({
  page,
  api,
}) => {
  const projectId = await makeProject(api, "Live log", [
    { path: "package.json", content: JSON.stringify({ name: "slow", scripts: { slow: "bun slow.js" } }) },
    { path: "slow.js", content: slowScript },
  ]);
  const agent = await makeAgent(api, projectId, "log agent");
  const { runId } = await openRun(agent, projectId, "Watch a slow command");
  try {
    await page.goto(`/runs/${runId}`);
    const log = page.getByRole("region", { name: "Log" });
    await expect(log).toContainText("The workspace opened");

    const started = await agent.mutate<Started>("workspace.runCommand", {
      runId,
      command: "bun run slow",
      waitMs: 1_000,
    });
    expect(started).toMatchObject({ status: "running" });
    const command = log.getByRole("listitem").filter({ hasText: "bun run slow" });
    const output = page.getByLabel("Output of bun run slow");
    await expect(output).toContainText("first line");
    await expect(output).toContainText("100 percent");
    await expect(output).not.toContainText("10 percent");
    await expect(output).not.toContainText("second line");
    await expect(command).toContainText("running");
    expect(await colorOf(output.getByText("red words", { exact: true }))).not.toBe(await colorOf(output));

    await letGoOn(agent, runId, "go-1");
    await expect(output).toContainText(/first line.*100 percent.*second line/s);
    await expect(command).toContainText("running");

    await page.reload();
    await expect(output).toContainText(/first line.*100 percent.*second line/s);
    expect(await colorOf(output.getByText("red words", { exact: true }))).not.toBe(await colorOf(output));
    await expect(command).toContainText("running");

    await letGoOn(agent, runId, "go-2");
    await expect(output).toContainText(/first line.*second line.*last line/s);
    await expect(command).toContainText(/exit 0 after [\d.]+ s/);
    expect(
      await agent.mutate("workspace.waitCommand", { runId, commandId: started.commandId }),
    ).toMatchObject({ status: "exited", exitCode: 0 });
  } finally {
    await agent.mutate("workspace.close", { runId });
  }
});

interface Started {
  status: string;
  commandId: string;
}

function letGoOn(agent: Api, runId: string, path: string): Promise<unknown> {
  return agent.mutate("workspace.writeFile", { runId, path, content: "" });
}

function colorOf(text: Locator): Promise<string> {
  return text.evaluate((element) => getComputedStyle(element).color);
}

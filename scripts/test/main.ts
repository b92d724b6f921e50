import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopRunningCommands } from "../stack/command";
import { OperatorError } from "../stack/operator-error";
import { createProgress } from "../stack/progress";
import { runJourneys } from "./journeys";
import { prepareMachine, type TestMachine } from "./machine";
import { addCounts, noCounts, runCheck, runVitest, type Counts } from "./suites";

/**
 * The test command. Without a word it does everything: the checks, the unit tests, the tests on a real engine and a real
 * database with both runtimes, and the journeys in a browser on a stack of its own. It installs what it needs on a
 * fresh Debian machine, runs beside a stack that is up, and leaves nothing running that it started.
 */
const modes = ["all", "int", "e2e", "soak"] as const;
type Mode = (typeof modes)[number];

const progress = createProgress(process.stdout);

async function main(): Promise<number> {
  const [word = "all", ...filters] = process.argv.slice(2);
  const mode = modes.find((name) => name === word);
  if (mode === undefined)
    throw new OperatorError(`There is no test run named ${word}: use ${modes.join(", ")}.`);

  let counts = noCounts;
  let isSound = true;
  const add = (more: Counts): void => {
    counts = addCounts(counts, more);
  };
  if (mode === "all") {
    isSound = await runCheck(progress);
    add(await runVitest(["unit"], filters));
  }
  add(await withMachine(mode, filters));
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  return isSound && counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

async function withMachine(mode: Mode, filters: readonly string[]): Promise<Counts> {
  const dataDir = mkdtempSync(join(tmpdir(), "rhumbatron-test-"));
  let machine: TestMachine | null = null;
  try {
    machine = await prepareMachine({ dataDir, needsBrowser: mode === "all" || mode === "e2e", progress });
    let counts = noCounts;
    if (mode !== "e2e") {
      const projects = mode === "soak" ? (["soak"] as const) : (["int", "engine"] as const);
      counts = addCounts(counts, await runVitest(projects, filters, machine.env));
    }
    if (mode === "all" || mode === "e2e")
      counts = addCounts(counts, await runJourneys(machine, progress, filters));
    return counts;
  } finally {
    await machine?.release();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

process.on("SIGINT", stopRunningCommands).on("SIGTERM", stopRunningCommands);
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`✗ not run: ${error.message}`);
  process.exitCode = 1;
}

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Progress } from "../stack/progress";
import { checkoutRoot } from "../stack/stack-config";

export interface Counts {
  passed: number;
  failed: number;
}

export const noCounts: Counts = { passed: 0, failed: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** Format, lint, types, layout and dead code. The rest of the tests run whatever it finds, so that one run tells all. */
export async function runCheck(progress: Progress): Promise<boolean> {
  try {
    await progress.step("Checks: format, lint, types, layout, dead code", async () => {
      if ((await runShown("npm", ["run", "--silent", "check"], {})) !== 0) throw new Error("a check failed");
    });
    return true;
  } catch {
    progress.note("A check failed; what it found stands above. The tests run all the same.");
    return false;
  }
}

/** Runs projects of vitest.config.ts. A run that counts nothing, or dies, counts as one failure. */
export async function runVitest(
  projects: readonly ("unit" | "int" | "engine" | "soak")[],
  filters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Counts> {
  return withReportFile(async (reportFile) => {
    const exitCode = await runShown(
      process.execPath,
      [
        join("node_modules", "vitest", "vitest.mjs"),
        "run",
        ...projects.flatMap((project) => ["--project", project]),
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${reportFile}`,
        ...filters,
      ],
      env,
    );
    const report = readReport(reportFile) as { numPassedTests?: number; numTotalTests?: number } | null;
    const passed = report?.numPassedTests ?? 0;
    // What was neither passed nor failed did not run, and what did not run has failed.
    return withExitCode({ passed, failed: (report?.numTotalTests ?? 0) - passed }, exitCode);
  });
}

/** Runs the browser journeys against a stack that is up. */
export async function runPlaywright(
  filters: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Counts> {
  return withReportFile(async (reportFile) => {
    const exitCode = await runShown(
      process.execPath,
      [join("node_modules", "@playwright", "test", "cli.js"), "test", ...filters],
      { ...env, E2E_JSON_FILE: reportFile },
    );
    const report = readReport(reportFile) as {
      stats?: { expected: number; unexpected: number; flaky: number; skipped: number };
    } | null;
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
    return withExitCode({ passed: expected, failed: unexpected + flaky + skipped }, exitCode);
  });
}

/** A runner that says it failed has failed, although no single test of it did. */
function withExitCode(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

async function withReportFile(run: (reportFile: string) => Promise<Counts>): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), "rhumbatron-report-"));
  try {
    return await run(join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null when the runner died before it wrote one. */
function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** Runs a program whose output the reader sees as it comes, and answers its exit code. */
export function runShown(
  program: string,
  programArguments: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, {
      cwd: checkoutRoot,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

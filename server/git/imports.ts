import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { ResolveName } from "../egress/resolver";
import type { Clock } from "../platform/clock";
import { DomainError, describeError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import { isDirectory, isMissing, putInPlace, writeBareRepository } from "./bare-repository";
import { GitFailure, type Git } from "./git-command";
import {
  importConfig,
  parseImportSource,
  permitDial,
  withoutSecrets,
  type ImportSource,
} from "./import-source";
import type { Places } from "./places";
import { ensureKept } from "./repositories";
import { isBranchName, type ControlInput } from "./schema";
import type { ImportStatus } from "./types";

/** Copies repositories from elsewhere. */
export interface Imports {
  start(input: ControlInput<"importRepository">): Promise<ImportStatus>;
  status(projectId: string): Promise<ImportStatus | null>;
  /** Ends what is under way; each can be started anew later. */
  close(): Promise<void>;
}

export interface ImportLimits {
  bytesMax: number;
  timeMs: number;
}

export const importLimits: ImportLimits = { bytesMax: 8 * 1024 ** 3, timeMs: 3_600_000 };

interface Deps {
  git: Git;
  places: Places;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  resolve: ResolveName;
  allowedHosts: readonly string[];
  hostAddresses: readonly string[];
  limits: ImportLimits;
}

const watchMs = 1_000;
const lookMs = 60_000;

/** Faults of old histories that harm nobody. The strict set holds for what agents push. Source: git-fsck, "FSCK MESSAGES". */
const pardoned = [
  "badDate",
  "badTimezone",
  "missingNameBeforeEmail",
  "missingSpaceBeforeDate",
  "missingSpaceBeforeEmail",
  "zeroPaddedDate",
  "zeroPaddedFilemode",
];

/**
 * Asks for the history at every depth, which is all of it. Only the smart protocol can be asked so: git would walk a server of
 * plain files too, and then checks no object that it gets.
 */
const wholeHistory = "--depth=2147483647";

const recordSchema = z.object({ state: z.enum(["running", "done", "failed"]), detail: z.string() });

/**
 * An import works in a scratch directory and is put in place as a whole, so a process that is killed leaves nothing behind but
 * the word that it was running; starting again is all that it takes.
 */
export function createImports(deps: Deps): Imports {
  const running = new Map<string, { status: ImportStatus; over: Promise<void>; stop: AbortController }>();
  const readStatus = async (projectId: string): Promise<ImportStatus | null> => {
    const live = running.get(projectId);
    if (live !== undefined) return live.status;
    const record = await readRecord(deps.places.project(projectId).importRecord);
    if (record === null || record.state !== "running") return record === null ? null : statusOf(record);
    if (await isDirectory(deps.places.project(projectId).canonical))
      return statusOf({ state: "done", detail: record.detail });
    return statusOf({
      state: "failed",
      detail: "The git service was stopped during the import: import it again.",
    });
  };
  return {
    status: readStatus,
    start: async (input) => {
      const known = await readStatus(input.projectId);
      if (known?.state === "running" || known?.state === "done") return known;
      if (await isDirectory(deps.places.project(input.projectId).canonical))
        throw new DomainError("input.invalid", "The Project has a repository already.");
      const again = running.get(input.projectId);
      if (again !== undefined) return again.status;
      const entry = {
        status: statusOf({ state: "running", detail: "Looking at the source." }),
        over: Promise.resolve(),
        stop: new AbortController(),
      };
      running.set(input.projectId, entry);
      entry.over = runImport(deps, input, entry).finally(() => running.delete(input.projectId));
      return entry.status;
    },
    close: async () => {
      const all = [...running.values()];
      for (const { stop } of all) stop.abort(new Error("the service stops"));
      await Promise.all(all.map(({ over }) => over));
    },
  };
}

async function runImport(
  deps: Deps,
  input: ControlInput<"importRepository">,
  entry: { status: ImportStatus; stop: AbortController },
): Promise<void> {
  const record = deps.places.project(input.projectId).importRecord;
  let outcome: z.output<typeof recordSchema>;
  try {
    await writeRecord(deps, record, { state: "running", detail: "" });
    outcome = await tryImport(deps, input, entry);
  } catch (error) {
    deps.logger.error({ projectId: input.projectId, reason: describeError(error) }, "an import failed");
    outcome = { state: "failed", detail: "The import failed inside the git service." };
  }
  if (entry.stop.signal.aborted && outcome.state === "failed") return;
  entry.status = statusOf(outcome);
  await writeRecord(deps, record, outcome).catch((error: unknown) =>
    deps.logger.error({ err: error }, "the outcome of an import could not be written"),
  );
}

async function tryImport(
  deps: Deps,
  input: ControlInput<"importRepository">,
  entry: { status: ImportStatus; stop: AbortController },
): Promise<z.output<typeof recordSchema>> {
  const parsed = parseImportSource(input.url);
  if (parsed.status === "refused") return { state: "failed", detail: parsed.detail };
  const { source } = parsed;
  const dial = await permitDial(source, deps);
  if (dial.status === "refused") return { state: "failed", detail: dial.detail };
  const config = importConfig(source, dial.addresses);
  const fresh = join(deps.places.scratch, deps.ids.uuid());
  try {
    const sourceHead = await readSourceHead(deps, source, config, entry.stop.signal);
    await writeBareRepository(fresh, { head: `refs/heads/${input.defaultBranch}` });
    await fetchAll(deps, { source, config, directory: fresh, entry });
    await chooseHead(deps.git, fresh, [sourceHead, input.defaultBranch]);
    await ensureKept(deps, input.projectId);
    await putInPlace(fresh, deps.places.project(input.projectId).canonical);
    return { state: "done", detail: `Imported from ${source.url}.` };
  } catch (error) {
    if (!(error instanceof ImportFault || error instanceof GitFailure)) throw error;
    const reason = error instanceof ImportFault ? error.message : reasonOf(error.stderr);
    return {
      state: "failed",
      detail: withoutSecrets(`${source.url} could not be imported: ${reason}`, source),
    };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

class ImportFault extends Error {}

/** The branch that the source's HEAD names, if it says so. */
async function readSourceHead(
  deps: Deps,
  source: ImportSource,
  config: Record<string, string>,
  signal: AbortSignal,
): Promise<string | null> {
  const stdout = await deps.git.succeed(
    { args: ["ls-remote", "--symref", "--end-of-options", source.url, "HEAD"], config },
    { timeoutMs: lookMs, signal },
  );
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout.toString("utf8"))?.[1] ?? null;
  return branch !== null && isBranchName(branch) ? branch : null;
}

async function fetchAll(
  deps: Deps,
  input: {
    source: ImportSource;
    config: Record<string, string>;
    directory: string;
    entry: { status: ImportStatus; stop: AbortController };
  },
): Promise<void> {
  const tooLarge = new AbortController();
  const stopWatching = deps.clock.every(watchMs, async () => {
    if ((await packBytes(input.directory)) > deps.limits.bytesMax) tooLarge.abort();
  });
  try {
    await deps.git.succeed(
      {
        args: [
          "fetch",
          "--progress",
          "--no-tags",
          "--no-write-fetch-head",
          "--no-recurse-submodules",
          wholeHistory,
          "--end-of-options",
          input.source.url,
          "+refs/heads/*:refs/heads/*",
          "+refs/tags/*:refs/tags/*",
        ],
        gitDirectory: input.directory,
        config: {
          ...input.config,
          "fetch.unpackLimit": "1",
          ...Object.fromEntries(pardoned.map((fault) => [`fetch.fsck.${fault}`, "ignore"])),
        },
      },
      {
        timeoutMs: deps.limits.timeMs,
        signal: AbortSignal.any([input.entry.stop.signal, tooLarge.signal]),
        onStderr: (text) => {
          input.entry.status = readProgress(text, input.entry.status);
        },
      },
    );
  } catch (error) {
    if (tooLarge.signal.aborted)
      throw new ImportFault(`it is larger than ${Math.floor(deps.limits.bytesMax / 1024 ** 2)} MiB.`);
    throw error;
  } finally {
    stopWatching();
  }
}

/** Takes the last count out of what git says while it works. */
export function readProgress(text: string, before: ImportStatus): ImportStatus {
  const match = [...text.matchAll(/(Receiving objects|Resolving deltas): +(\d+)% \((\d+)\/(\d+)\)/g)].at(-1);
  if (match === null || match === undefined) return before;
  const [, phase, percent, count, total] = match;
  if (phase === "Resolving deltas") return { ...before, detail: `Resolving deltas, ${percent} %.` };
  return {
    state: "running",
    detail: `Receiving objects, ${percent} %.`,
    receivedObjects: Number(count),
    totalObjects: Number(total),
    percent: Number(percent),
  };
}

async function packBytes(directory: string): Promise<number> {
  const folder = join(directory, "objects/pack");
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function chooseHead(git: Git, directory: string, wishes: readonly (string | null)[]): Promise<void> {
  for (const branch of wishes) {
    if (branch === null) continue;
    const { exitCode } = await git.run({
      args: ["show-ref", "--verify", "--quiet", `refs/heads/${branch}`],
      gitDirectory: directory,
    });
    if (exitCode === 0) return writeFile(join(directory, "HEAD"), `ref: refs/heads/${branch}\n`);
  }
}

/** What git said, in words for a person; its own last words where it is nothing common. */
function reasonOf(stderr: string): string {
  if (/could not read (Username|Password)|Authentication failed|error: 40[13]/i.test(stderr))
    return "it asks for credentials, or refuses the ones given.";
  if (/not found|error: 404/i.test(stderr)) return "there is no such repository.";
  if (/dumb http transport/i.test(stderr)) return "it is not served by git's smart protocol.";
  if (/redirect|error: 30\d/i.test(stderr)) return "it redirects to another address: use that one.";
  if (/fsck|corrupt|badTree|gitmodules/i.test(stderr))
    return `it holds objects that are refused: ${lastLine(stderr)}`;
  return lastLine(stderr);
}

function lastLine(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => /^(fatal|error|remote)/.test(line));
  return (lines.find((line) => line.startsWith("error")) ?? lines.at(-1) ?? stderr.trim()).slice(0, 300);
}

function statusOf(record: z.output<typeof recordSchema>): ImportStatus {
  const percent = record.state === "done" ? 100 : null;
  return { ...record, receivedObjects: null, totalObjects: null, percent };
}

async function readRecord(path: string): Promise<z.output<typeof recordSchema> | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function writeRecord(deps: Deps, path: string, record: z.output<typeof recordSchema>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = join(deps.places.scratch, deps.ids.uuid());
  await writeFile(fresh, JSON.stringify(record));
  await rename(fresh, path);
}

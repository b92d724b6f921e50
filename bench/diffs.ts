/**
 * What a review waits for: the files of a large ChangeSet, and one batch of 50 patches beside 50 single calls, in one run on one
 * machine. Prints medians, their ratio, and how much memory the process that is the git service grew to. Needs git alone.
 *
 *   node --expose-gc --import tsx bench/diffs.ts [rounds]
 */
import { join } from "node:path";
import {
  commitFiles,
  createGitWorld,
  createProject,
  mustGit,
  type GitWorld,
} from "../server/testing/git-world";
import type { DiffFile, DiffRange } from "../server/git/types";
import { survey, surveyLimits } from "../server/changesets/highlights/survey";

const rounds = Number(process.argv[2] ?? 5);
const batch = 50;

const world = await createGitWorld();
try {
  await measure("1,000 files, 100,000 lines", { files: 1_000, linesEach: 100 });
  await measure("10,000 files, 10,000 lines", { files: 10_000, linesEach: 1 });
} finally {
  await world.close();
}

async function measure(what: string, size: { files: number; linesEach: number }): Promise<void> {
  const range = await propose(world, size);
  const cold = await timeMs(() => world.client.diffFiles(range));
  const files = await world.client.diffFiles(range);
  const before = memoryMegabytes();
  const warm = await median(() => world.client.diffFiles(range));
  const four = await median(() => Promise.all([1, 2, 3, 4].map(() => world.client.diffFiles(range))));
  const [one, single] = await batchBesideSingles(range, files);
  const all = await timeMs(() => inBatches(range, files));
  const highlights = await median(() => survey(world.client, range, surveyLimits));
  const grown = memoryMegabytes() - before;
  console.log(
    [
      `${what}:`,
      `  files ${cold.toFixed(0)} ms at first, then ${warm.toFixed(0)} ms`,
      `  files of four attempts at once, as they are compared ${four.toFixed(0)} ms: ${(four / warm).toFixed(1)} times one`,
      `  ${batch} patches: one batch ${one.toFixed(0)} ms, single calls ${single.toFixed(0)} ms: ${(single / one).toFixed(1)} times`,
      `  every patch in batches ${all.toFixed(0)} ms`,
      `  highlights ${highlights.toFixed(0)} ms`,
      `  memory ${grown.toFixed(0)} MiB more after all of it`,
    ].join("\n"),
  );
}

/** Takes turns, so that whatever else the machine does slows both. */
async function batchBesideSingles(range: DiffRange, files: readonly DiffFile[]): Promise<[number, number]> {
  const times = { one: [] as number[], single: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const paths = files.slice(round * batch, (round + 1) * batch).map(({ path }) => path);
    times.one.push(await timeMs(() => world.client.diffPatches({ ...range, paths })));
    times.single.push(
      await timeMs(async () => {
        for (const path of paths) await world.client.diffPatch({ ...range, path });
      }),
    );
  }
  return [middle(times.one), middle(times.single)];
}

async function inBatches(range: DiffRange, files: readonly DiffFile[]): Promise<void> {
  for (let start = 0; start < files.length; start += batch) {
    const paths = files.slice(start, start + batch).map(({ path }) => path);
    await world.client.diffPatches({ ...range, paths });
  }
}

/** Half of the files are changed, half are new. */
async function propose(
  { repositories }: GitWorld,
  { files, linesEach }: { files: number; linesEach: number },
): Promise<DiffRange> {
  const contentOf = (index: number, version: number): string =>
    Array.from(
      { length: linesEach },
      (_, line) => `export const n${line} = ${index * version + line};\n`,
    ).join("");
  const filesOf = (from: number, version: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: files - from }, (_, at) => [
        `src/${(at + from) % 97}/file-${at + from}.ts`,
        contentOf(at + from + 1, version),
      ]),
    );
  const project = await createProject(world, filesOf(files / 2, 1));
  const head = await commitFiles(project.source, filesOf(0, 7));
  await mustGit(["push", "--quiet", join(repositories, project.projectId, "canonical.git"), "main"], {
    cwd: project.source,
  });
  return { projectId: project.projectId, base: project.commit, head };
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeMs(work));
  return middle(times);
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function middle(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? NaN;
}

function memoryMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1024 ** 2;
}

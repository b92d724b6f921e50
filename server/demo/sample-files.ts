import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** One file of the sample repository. `path` has slashes. */
export interface SampleFile {
  path: string;
  content: Buffer;
}

/** Reads the sample, without what somebody who tried it by hand left in it. */
export async function readSampleFiles(folder: string): Promise<SampleFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/(^|\/)(node_modules\/|bun\.lock$)/.test(path))
    .toSorted();
  return Promise.all(paths.map(async (path) => ({ path, content: await readFile(join(folder, path)) })));
}

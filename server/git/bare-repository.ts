import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What a new bare repository begins with. */
export interface BareRepository {
  /** The ref that HEAD names. */
  head: string;
  refs?: Readonly<Record<string, string>>;
  /** Where it borrows objects, relative to its own object directory. */
  alternate?: string;
}

const config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n";

/** Writes the few files that make a bare repository. It has no hook, description or template: every byte is written here. */
export async function writeBareRepository(directory: string, content: BareRepository): Promise<void> {
  await Promise.all(
    ["objects/info", "objects/pack", "refs/heads", "refs/tags"].map((part) =>
      mkdir(join(directory, part), { recursive: true }),
    ),
  );
  await Promise.all([
    writeFile(join(directory, "HEAD"), `ref: ${content.head}\n`),
    writeFile(join(directory, "config"), config),
    ...(content.alternate === undefined
      ? []
      : [writeFile(join(directory, "objects/info/alternates"), `${content.alternate}\n`)]),
    ...Object.entries(content.refs ?? {}).map(async ([ref, commit]) => {
      await mkdir(dirname(join(directory, ref)), { recursive: true });
      await writeFile(join(directory, ref), `${commit}\n`);
    }),
  ]);
}

/**
 * Puts a finished directory in its place in one step, so that it is there as a whole or not at all. When another was faster
 * the new one is removed.
 */
export async function putInPlace(finished: string, place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  try {
    await rename(finished, place);
  } catch (error) {
    await rm(finished, { recursive: true, force: true });
    if (!(await isDirectory(place))) throw error;
  }
}

/** Takes a directory out of its place in one step, then removes it. Nothing there is done. */
export async function takeAway(place: string, scratch: string): Promise<void> {
  try {
    await rename(place, scratch);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await rm(scratch, { recursive: true, force: true });
}

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "../platform/ids";
import type { Git } from "./git-command";
import { splitAtNul } from "./path-handle";
import type { Places } from "./places";

const attributesFile = ".gitattributes";

/**
 * The paths, as latin1, that the attributes of `base` call `linguist-generated`. Only the attribute files above the paths are
 * read, into an index that holds nothing else, so the cost does not grow with the repository. A directory whose name holds a
 * line feed is left out.
 */
export async function findGeneratedPaths(
  deps: { git: Git; places: Places; ids: Ids },
  input: { gitDirectory: string; base: string; paths: readonly Buffer[] },
): Promise<Set<string>> {
  const { git, places, ids } = deps;
  const { gitDirectory, base } = input;
  const folders = new Set(input.paths.flatMap((path) => foldersAbove(path.toString("latin1"))));
  const files = [...folders]
    .map((folder) => `${folder}${attributesFile}`)
    .filter((file) => !file.includes("\n"));
  const found = await git.succeed({
    args: ["cat-file", "--batch-check=%(objecttype) %(objectname)", "--buffer", "-z"],
    gitDirectory,
    stdin: Buffer.from(files.map((file) => `${base}:${file}\0`).join(""), "latin1"),
  });
  const entries = found
    .toString("latin1")
    .split("\n")
    .flatMap((line, index) => {
      const id = /^blob ([0-9a-f]{40})$/.exec(line)?.[1];
      return id === undefined ? [] : [`100644 blob ${id}\t${files[index] ?? ""}\0`];
    });
  if (entries.length === 0) return new Set();
  const scratch = join(places.scratch, ids.uuid());
  await mkdir(scratch);
  try {
    const env = { GIT_INDEX_FILE: join(scratch, "index") };
    await git.succeed({
      args: ["update-index", "-z", "--index-info"],
      gitDirectory,
      env,
      stdin: Buffer.from(entries.join(""), "latin1"),
    });
    const answers = await git.succeed({
      args: ["check-attr", "--cached", "-z", "--stdin", "linguist-generated"],
      gitDirectory,
      env,
      stdin: Buffer.concat(input.paths.flatMap((path) => [path, Buffer.from([0])])),
    });
    return generatedOf(splitAtNul(answers));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Answers come as path, attribute, value. */
function generatedOf(parts: readonly Buffer[]): Set<string> {
  const generated = new Set<string>();
  for (let index = 0; index + 2 < parts.length; index += 3) {
    const value = parts[index + 2]?.toString("latin1");
    if (value === "set" || value === "true") generated.add(parts[index]?.toString("latin1") ?? "");
  }
  return generated;
}

/** `""`, `a/`, `a/b/` for `a/b/c`. */
function foldersAbove(path: string): string[] {
  const folders = [""];
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
    folders.push(path.slice(0, slash + 1));
  return folders;
}

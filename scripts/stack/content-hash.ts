import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { systemErrorCode } from "./operator-error";

/**
 * One hash over the contents of files and folders, by their paths relative to `root`, and over `extra` words. Equal
 * contents give an equal hash on every machine; times and owners do not count, the executable bit does. A path that
 * is not there counts as absent.
 */
export function hashContents(
  root: string,
  paths: readonly string[],
  options: { extra?: readonly string[]; isCounted?: (path: string) => boolean } = {},
): string {
  const hash = createHash("sha256");
  const { extra = [], isCounted = () => true } = options;
  for (const word of extra) hash.update(`word ${word.length} ${word}\n`);
  const files = paths.flatMap((path) => listFiles(join(root, path)));
  const named = files.map((file) => [relative(root, file).split(sep).join("/"), file] as const);
  for (const [name, file] of named.sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isCounted(name)) continue;
    const content = readFileSync(file);
    const isExecutable = (statSync(file).mode & 0o100) !== 0;
    hash
      .update(`file ${name.length} ${name} ${isExecutable ? "x" : "-"} ${content.length}\n`)
      .update(content);
  }
  return hash.digest("hex");
}

/** A short hash of one value's JSON, to see whether something is still what it was started with. */
export function fingerprintOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

function listFiles(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const child = join(path, entry.name);
      return entry.isDirectory()
        ? listFiles(child)
        : entry.isSymbolicLink() && isDangling(child)
          ? []
          : [child];
    });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOTDIR") return [path];
    if (code === "ENOENT") return [];
    throw error;
  }
}

function isDangling(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return readlinkSync(path) !== "";
    throw error;
  }
}

/**
 * Holds the layout that docs/architecture.md describes: file names that say what is inside, tests beside what they test,
 * and no import cycle. Prints one line a fault and exits with 1 when there is one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

const emptyNames = ["index", "utils", "util", "helpers", "helper", "constants", "common", "misc", "lib"];
const frameworkNames = /^(\[.*\]|\([a-z-]+\)|_[a-z-]+|\.[a-z]+)$/;

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => path !== "" && existsSync(path));
const sources = files.filter((path) => /\.(ts|tsx|mjs)$/.test(path));
const faults = [...nameFaults(), ...testFaults(), ...cycleFaults()];

for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);

function nameFaults(): string[] {
  return sources.flatMap((path) => {
    const parts = path
      .split("/")
      .map((part) =>
        part.replace(
          /\.(config|test|int\.test|engine\.test|soak\.test|contract|sim\.test|spec|d)?\.?(ts|tsx|mjs)$/,
          "",
        ),
      );
    return parts.flatMap((part) => {
      if (emptyNames.includes(part)) return [`${path}: the name ${part} does not say what is inside`];
      return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(part) || frameworkNames.test(part)
        ? []
        : [`${path}: ${part} is not kebab-case`];
    });
  });
}

/** A unit test stands beside what it tests, or is named after its folder. Tests on real parts are named by their subject. */
function testFaults(): string[] {
  return sources
    .filter((path) => /\.test\.tsx?$/.test(path) && !/\.(int|engine|soak)\.test\.tsx?$/.test(path))
    .filter((path) => {
      const base = path.replace(/(\.sim)?\.test\.tsx?$/, "");
      const folder = dirname(path).split("/").at(-1) ?? "";
      const name = base.split("/").at(-1) ?? "";
      return !existsSync(`${base}.ts`) && !existsSync(`${base}.tsx`) && !name.startsWith(folder);
    })
    .map((path) => `${path}: there is nothing of that name beside it, and it is not named after its folder`);
}

function cycleFaults(): string[] {
  const imports = new Map(sources.map((path) => [path, importsOf(path)]));
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      found.push(`import cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
      return;
    }
    state.set(path, "open");
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, "done");
  };
  for (const path of sources) visit(path, []);
  return found;
}

function importsOf(path: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, "utf8"));
  return importedFiles.flatMap(({ fileName }) => {
    const isAlias = fileName.startsWith("@/");
    if (!isAlias && !fileName.startsWith(".")) return [];
    const target = normalize(isAlias ? fileName.slice(2) : join(dirname(path), fileName));
    return [`${target}.ts`, `${target}.tsx`, target].filter((candidate) => sources.includes(candidate));
  });
}

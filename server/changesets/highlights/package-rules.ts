import { z } from "zod";
import type { Finding } from "./types";

const namesMax = 12;

/** Scripts that a package manager runs of itself when it installs, packs or publishes. */
const lifecycleScripts = [
  "preinstall",
  "install",
  "postinstall",
  "preprepare",
  "prepare",
  "postprepare",
  "prepublish",
  "prepublishOnly",
  "prepack",
  "postpack",
  "dependencies",
];

const entries = z.record(z.string(), z.unknown()).catch({});
const manifestSchema = z.object({
  dependencies: entries,
  devDependencies: entries,
  optionalDependencies: entries,
  peerDependencies: entries,
  scripts: entries,
});
type Manifest = z.output<typeof manifestSchema>;

const empty: Manifest = manifestSchema.parse({});

/** Compares two versions of a package.json: which dependencies are new, and which scripts now run of themselves. */
export function findingsOfManifest(oldText: string | null, newText: string): Finding[] {
  const before = oldText === null ? empty : (parse(oldText) ?? empty);
  const after = parse(newText);
  if (after === null) return [];
  const known = dependenciesOf(before);
  const added = [...dependenciesOf(after)].filter(([name]) => !known.has(name));
  const found: Finding[] = [];
  if (added.length > 0)
    found.push({
      reason: "new_dependency",
      line: lineOf(newText, added[0]?.[0]),
      detail: `New: ${listed(added)}`,
    });
  for (const name of lifecycleScripts) {
    const script = after.scripts[name];
    if (script === undefined || script === before.scripts[name]) continue;
    const detail = `${name} runs of itself: ${shortened(script, 200)}`;
    found.push({ reason: "lifecycle_script", line: lineOf(newText, name), detail });
  }
  return found;
}

function parse(text: string): Manifest | null {
  try {
    const result = manifestSchema.safeParse(JSON.parse(text.replace(/^\ufeff/, "")));
    return result.success ? result.data : null;
  } catch (error) {
    // Its text is an agent's; one that is no JSON installs nothing.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function dependenciesOf(manifest: Manifest): Map<string, unknown> {
  const { peerDependencies, optionalDependencies, devDependencies, dependencies } = manifest;
  return new Map(
    [peerDependencies, optionalDependencies, devDependencies, dependencies].flatMap((part) =>
      Object.entries(part),
    ),
  );
}

function listed(added: readonly (readonly [string, unknown])[]): string {
  const shown = added
    .slice(0, namesMax)
    .map(([name, range]) => `${shortened(name, 100)} ${shortened(range, 60)}`);
  const rest = added.length - shown.length;
  return shown.join(", ") + (rest > 0 ? `, and ${rest} more` : "");
}

function shortened(value: unknown, charactersMax: number): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

/** The first line that has it as a key. */
function lineOf(text: string, key: string | undefined): number | null {
  if (key === undefined) return null;
  const index = text.split("\n").findIndex((line) => line.includes(`${JSON.stringify(key)}`));
  return index < 0 ? null : index + 1;
}

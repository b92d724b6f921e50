import type { CommandRejection, RejectionReason, ScriptsReading } from "./types";

const listedScriptsMax = 100;
const listedNameCharsMax = 100;

/** Makes a rejection with the whole list of what is allowed. */
export function rejectCommand(
  reason: RejectionReason,
  message: string,
  scripts: ScriptsReading,
): CommandRejection {
  return { status: "rejected", reason, message, allowed: listAllowed(scripts) };
}

/** The rejection of `bunx tsc --noEmit` in a workspace that has no compiler of its own. */
export function rejectMissingCompiler(scripts: ScriptsReading): CommandRejection {
  const message =
    "This workspace has no TypeScript compiler of its own, and none is fetched for it." +
    " Add `typescript` to devDependencies in package.json, then run `bun install`.";
  return rejectCommand("compiler_missing", message, scripts);
}

/** Quotes a word of the caller's in a message, cut when it is long. */
export function quoteWord(word: string): string {
  const characters = [...word];
  return characters.length > 80 ? `\`${characters.slice(0, 80).join("")}…\`` : `\`${word}\``;
}

/** What is known of scripts, as a sentence. */
export function describeScripts(scripts: ScriptsReading): string {
  switch (scripts.status) {
    case "read":
      return scripts.names.length === 0
        ? "package.json has no scripts."
        : `Its scripts: ${scripts.names.slice(0, 20).map(quoteWord).join(", ")}${scripts.names.length > 20 ? ", …" : ""}.`;
    case "absent":
      return "There is no package.json in the workspace.";
    case "unreadable":
      return "package.json could not be read: it is no regular file.";
    case "too_large":
      return "package.json is larger than 1 MiB, so its scripts are not read.";
    case "not_json":
      return "package.json holds no JSON object.";
    case "unread":
      return "package.json was not read, because the workspace is asleep.";
  }
}

function listAllowed(scripts: ScriptsReading): readonly string[] {
  return [
    "bun install",
    "bun install --frozen-lockfile",
    "bun test",
    ...listScripts(scripts),
    "bunx tsc --noEmit",
    "git status [-s] [--short] [-b] [--branch] [--porcelain] [--] [path …]",
    "git diff [--stat] [--numstat] [--name-only] [--name-status] [--cached] [--staged] [-w] [commit [commit] | A..B | A...B] [-- path …]",
    "git log [--oneline] [--stat] [--name-only] [-n N] [-N] [commit | A..B | A...B] [-- path …]",
    "ls [-a] [-l] [-la] [-1] [-R] [--] [path …]",
  ];
}

function listScripts(scripts: ScriptsReading): string[] {
  if (scripts.status !== "read" || scripts.names.length === 0)
    return [`bun run <name>: ${describeScripts(scripts)}`];
  const listed = scripts.names.filter((name) => name.length <= listedNameCharsMax).slice(0, listedScriptsMax);
  const unlistedCount = scripts.names.length - listed.length;
  return [
    ...listed.map((name) => `bun run ${name}`),
    ...(unlistedCount === 0 ? [] : [`bun run <name>: ${unlistedCount} more scripts of package.json`]),
  ];
}

import { closestWord } from "./closest-word";
import { planGit } from "./git-execution";
import { findPathsFault, readGitWords } from "./git-words";
import { describeScripts, quoteWord, rejectCommand } from "./rejection";
import { isScriptName } from "./scripts";
import type {
  CommandDecision,
  CommandExecution,
  CommandFamily,
  RejectionReason,
  ScriptsReading,
} from "./types";
import { splitWords } from "./words";

/** `execution` is made of the very words that were decided on. */
type Reading =
  | { status: "accepted"; family: CommandFamily; execution: CommandExecution }
  | { status: "rejected"; reason: RejectionReason; message: string };

const programs = ["bun", "bunx", "git", "ls"];
const lsOptions = ["-a", "-l", "-la", "-1", "-R"];
const compilerPath = "node_modules/.bin/tsc";

/**
 * Decides whether a command runs, and as what. Never throws. What is not named in the contract's list is rejected, with
 * the reason, the nearest form that is allowed, and the whole list. The list is a policy: the container is the wall.
 * Source: contract, section 3.
 */
export function decideCommand(input: { text: string; scripts: ScriptsReading }): CommandDecision {
  const { text, scripts } = input;
  const split = splitWords(text);
  if (split.status === "rejected") return rejectCommand(split.reason, split.message, scripts);
  const reading = readWords(split.words, scripts);
  if (reading.status === "rejected") return rejectCommand(reading.reason, reading.message, scripts);
  const { family, execution } = reading;
  return { status: "accepted", argv: split.words, family, isExclusive: family === "bun", execution };
}

function readWords(words: readonly string[], scripts: ScriptsReading): Reading {
  const [program = "", ...rest] = words;
  switch (program) {
    case "bun":
      return readBun(rest, scripts);
    case "bunx":
      return readBunx(rest);
    case "git": {
      const reading = readGitWords(rest);
      return reading.status === "git"
        ? { status: "accepted", family: "git", execution: planGit(reading.git) }
        : reading;
    }
    case "ls":
      return readLs(rest);
    default:
      return rejectProgram(program, rest, scripts);
  }
}

function readBun(words: readonly string[], scripts: ScriptsReading): Reading {
  const [subcommand, ...rest] = words;
  switch (subcommand) {
    case "install":
      return rest.length === 0 || (rest.length === 1 && rest[0] === "--frozen-lockfile")
        ? acceptBun(["bun", ...words])
        : reject(
            "argument",
            "`bun install` takes no words but `--frozen-lockfile`. Packages are added in package.json.",
          );
    case "test":
      return rest.length === 0
        ? acceptBun(["bun", "test"])
        : reject(
            "argument",
            "`bun test` takes no words. For a selection add a script to package.json and `bun run` it.",
          );
    case "run":
      return readBunRun(rest, scripts);
    default:
      return rejectBun(subcommand, scripts);
  }
}

function readBunRun(words: readonly string[], scripts: ScriptsReading): Reading {
  const [name, ...rest] = words;
  if (name === undefined)
    return reject("script", `\`bun run\` is followed by a script's name. ${describeScripts(scripts)}`);
  if (!isScriptName(name)) {
    return reject(
      "script",
      `\`bun run\` is followed by a script's name, which does not begin with \`-\`, \`.\` or \`/\` as ${quoteWord(name)} does.`,
    );
  }
  if (rest.length > 0) {
    return reject(
      "argument",
      "`bun run <name>` takes no more words. Write what the script needs into package.json.",
    );
  }
  if (scripts.status === "unread") return reject("scripts_unread", describeScripts(scripts));
  if (scripts.status !== "read" || !scripts.names.includes(name)) {
    const closest = scripts.status === "read" ? closestWord(name, scripts.names) : null;
    const hint = closest === null ? "" : ` Did you mean ${quoteWord(`bun run ${closest}`)}?`;
    return reject(
      "script",
      `package.json has no script ${quoteWord(name)}, and files are not run by their name.${hint} ${describeScripts(scripts)}`,
    );
  }
  return acceptBun(["bun", "run", name]);
}

/**
 * The workspace's own compiler, started by its path: `bunx` would take one of that name from PATH or from a folder
 * further up, or fetch a package that is called tsc and is not TypeScript. `--no-install` fetches nothing it imports.
 */
function readBunx(words: readonly string[]): Reading {
  if (words.length !== 2 || words[0] !== "tsc" || words[1] !== "--noEmit") {
    return reject(
      "argument",
      "`bunx` runs one thing, `bunx tsc --noEmit`. Other tools run from a script of package.json: `bun run <name>`.",
    );
  }
  const argv = ["bun", "--no-install", `./${compilerPath}`, "--noEmit"];
  return { status: "accepted", family: "bun", execution: { argv, env: {}, requiredPath: compilerPath } };
}

function readLs(words: readonly string[]): Reading {
  const options: string[] = [];
  const paths: string[] = [];
  let arePathsOnly = false;
  for (const word of words) {
    if (arePathsOnly) paths.push(word);
    else if (word === "--") arePathsOnly = true;
    else if (lsOptions.includes(word)) options.push(word);
    else if (word.startsWith("-")) {
      const closest = closestWord(word, lsOptions);
      const hint = closest === null ? "" : ` Did you mean \`${closest}\`?`;
      return reject(
        "option",
        `\`ls\` does not take ${quoteWord(word)}.${hint} Its options: ${lsOptions.join(" ")}.`,
      );
    } else paths.push(word);
  }
  const fault = findPathsFault(paths);
  if (fault !== null) return fault;
  const argv = ["ls", ...options, "--", ...paths];
  return {
    status: "accepted",
    family: "ls",
    execution: { argv, env: { LC_ALL: "C.UTF-8" }, requiredPath: null },
  };
}

function acceptBun(argv: readonly string[]): Reading {
  return { status: "accepted", family: "bun", execution: { argv, env: {}, requiredPath: null } };
}

function rejectBun(subcommand: string | undefined, scripts: ScriptsReading): Reading {
  if (subcommand === undefined) return reject("subcommand", "`bun` is followed by install, test or run.");
  if (scripts.status === "read" && scripts.names.includes(subcommand)) {
    return reject("subcommand", `A script is run by ${quoteWord(`bun run ${subcommand}`)}.`);
  }
  const closest =
    closestWord(subcommand, ["install", "test", "run"]) ?? (subcommand === "i" ? "install" : null);
  const hint = closest === null ? "" : ` Did you mean \`bun ${closest}\`?`;
  return reject(
    "subcommand",
    `\`bun\` is followed by install, test or run, not by ${quoteWord(subcommand)}.${hint}`,
  );
}

function rejectProgram(program: string, rest: readonly string[], scripts: ScriptsReading): Reading {
  const nearest = nearestForm(program, rest, scripts);
  return reject(
    "program",
    `${quoteWord(program)} is not among the commands.${nearest === null ? "" : ` ${nearest}`}`,
  );
}

const fileTools: Readonly<Record<string, string>> = {
  cat: "To read a file use read_file.",
  head: "To read a file use read_file, with startLine and endLine.",
  tail: "To read a file use read_file, with startLine and endLine.",
  rm: "To remove a file or folder use delete_file.",
  touch: "To make a file use write_file.",
  mkdir: "write_file makes the folders of its path.",
  sed: "To change a file use edit_file.",
  find: "To list files use list_files, or `ls -R`.",
  cd: "Every command runs in the workspace's directory.",
};

function nearestForm(program: string, rest: readonly string[], scripts: ScriptsReading): string | null {
  if (Object.hasOwn(fileTools, program)) return fileTools[program] ?? null;
  if (program === "tsc" || program === "npx") return "The compiler runs by `bunx tsc --noEmit`.";
  if (program === "npm" || program === "pnpm" || program === "yarn" || program === "node") {
    const [verb = ""] = rest.filter((word) => word !== "run");
    if (["install", "ci", "i", ""].includes(verb)) return "Packages are installed by `bun install`.";
    if (verb === "test") return "Tests run by `bun test`.";
    return `Scripts run by \`bun run <name>\`. ${describeScripts(scripts)}`;
  }
  const closest = closestWord(program, programs);
  return closest === null ? null : `Did you mean \`${closest}\`?`;
}

function reject(reason: RejectionReason, message: string): Reading {
  return { status: "rejected", reason, message };
}

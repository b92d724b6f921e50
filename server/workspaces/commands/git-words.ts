import { readWorkspacePath } from "../files/path";
import { closestWord } from "./closest-word";
import { quoteWord } from "./rejection";
import type { RejectionReason } from "./types";

export type GitSubcommand = "status" | "diff" | "log";

/** The words of a git command, told apart by what they are. A path is never among the commits, nor the other way. */
export interface GitWords {
  subcommand: GitSubcommand;
  options: readonly string[];
  commits: readonly string[];
  paths: readonly string[];
}

export type GitReading =
  { status: "git"; git: GitWords } | { status: "rejected"; reason: RejectionReason; message: string };

/** Options are exact words: no abbreviation, no value behind `=`, no cluster. `takesCount` ones are read apart. */
const grammar: Readonly<
  Record<GitSubcommand, { options: readonly string[]; takesCount: boolean; commitsMax: number }>
> = {
  status: { options: ["-s", "--short", "-b", "--branch", "--porcelain"], takesCount: false, commitsMax: 0 },
  diff: {
    options: ["--stat", "--numstat", "--name-only", "--name-status", "--cached", "--staged", "-w"],
    takesCount: false,
    commitsMax: 2,
  },
  log: { options: ["--oneline", "--stat", "--name-only"], takesCount: true, commitsMax: 1 },
};

const countPattern = /^[1-9][0-9]{0,4}$/;

/**
 * Reads the words behind `git`. The first is the subcommand, so nothing can stand between; every option is on the
 * subcommand's list; before `--` stand commits (for status: paths), after it paths inside the Run's directory.
 */
export function readGitWords(words: readonly string[]): GitReading {
  const [subcommand, ...rest] = words;
  if (subcommand !== "status" && subcommand !== "diff" && subcommand !== "log")
    return rejectSubcommand(subcommand);
  const options: string[] = [];
  const commits: string[] = [];
  const paths: string[] = [];
  let arePathsOnly = false;
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? "";
    if (arePathsOnly) paths.push(word);
    else if (word === "--") arePathsOnly = true;
    else if (word === "-n" && grammar[subcommand].takesCount) {
      const count = rest[++index] ?? "";
      if (!countPattern.test(count)) return reject("option", "`-n` is followed by a number from 1 to 99999.");
      options.push(word, count);
    } else if (word.startsWith("-")) {
      if (!isOption(subcommand, word)) return rejectOption(subcommand, word);
      options.push(word);
    } else if (subcommand === "status") paths.push(word);
    else commits.push(word);
  }
  return (
    findCommitFault(subcommand, commits) ??
    findPathsFault(paths) ?? { status: "git", git: { subcommand, options, commits, paths } }
  );
}

/** Says what is wrong with the first path that is, or null. Shared with `ls`. */
export function findPathsFault(
  paths: readonly string[],
): { status: "rejected"; reason: RejectionReason; message: string } | null {
  for (const path of paths) {
    const reading = readWorkspacePath(path);
    if (reading.status === "fault") return reject("path", `${quoteWord(path)}: ${reading.fault.message}`);
  }
  return null;
}

/** `A`, `A..B` or `A...B`, where each side is a name or hash that cannot be anything else; `A^` is its parent. */
export function isCommitOrRange(word: string): boolean {
  const sides = word.split(/\.{2,3}/);
  return sides.length <= 2 && sides.every(isCommit);
}

/** Stricter than git's own rule for names (git-check-ref-format): ASCII, no `@{`, no `:path`, and no option. */
function isCommit(text: string): boolean {
  const name = text.replace(/(\^[0-9]?){1,9}$/, "");
  if (name.length > 250 || !/^[A-Za-z0-9_][A-Za-z0-9_./@+=,%#-]*$/.test(name)) return false;
  return name.split("/").every((part) => part !== "" && !/^\.|\.\.|\.$|\.lock$/.test(part));
}

function findCommitFault(subcommand: GitSubcommand, commits: readonly string[]): GitReading | null {
  const wrong = commits.find((word) => !isCommitOrRange(word));
  if (wrong !== undefined) {
    const advice = `A commit is a hash or a name such as HEAD, HEAD^, main or v1.2, a range is A..B or A...B.`;
    return reject("commit", `${quoteWord(wrong)} is no commit. ${advice} ${pathAdvice(subcommand, wrong)}`);
  }
  const { commitsMax } = grammar[subcommand];
  if (commits.length <= commitsMax) return null;
  const most = commitsMax === 1 ? "one commit or range" : "two commits";
  const last = commits.at(-1) ?? "";
  return reject("argument", `\`git ${subcommand}\` takes at most ${most}. ${pathAdvice(subcommand, last)}`);
}

function pathAdvice(subcommand: GitSubcommand, word: string): string {
  return `Paths stand behind \`--\`: ${quoteWord(`git ${subcommand} -- ${word}`)}.`;
}

function isOption(subcommand: GitSubcommand, word: string): boolean {
  const { options, takesCount } = grammar[subcommand];
  return options.includes(word) || (takesCount && word.startsWith("-") && countPattern.test(word.slice(1)));
}

function rejectOption(subcommand: GitSubcommand, word: string): GitReading {
  const { options, takesCount } = grammar[subcommand];
  const listed = [...options, ...(takesCount ? ["-n N", "-N"] : [])];
  const closest = closestWord(word, options);
  const hint = closest === null ? "" : ` Did you mean \`${closest}\`?`;
  return reject(
    "option",
    `\`git ${subcommand}\` does not take ${quoteWord(word)} here.${hint} Each option is a word of its own, written out: ${listed.join(" ")}.`,
  );
}

function rejectSubcommand(word: string | undefined): GitReading {
  if (word === undefined) return reject("subcommand", "`git` is followed by status, diff or log.");
  if (word.startsWith("-")) {
    return reject(
      "subcommand",
      `Nothing stands between \`git\` and status, diff or log: ${quoteWord(word)} is not allowed there.`,
    );
  }
  const advice = commitAdvice.has(word)
    ? " Commits are made for you: completeTask proposes everything that differs in the workspace."
    : "";
  return reject(
    "subcommand",
    `\`git\` is followed by status, diff or log, not by ${quoteWord(word)}.${advice}`,
  );
}

const commitAdvice: ReadonlySet<string> = new Set([
  "add",
  "commit",
  "push",
  "stash",
  "checkout",
  "branch",
  "switch",
]);

function reject(
  reason: RejectionReason,
  message: string,
): { status: "rejected"; reason: RejectionReason; message: string } {
  return { status: "rejected", reason, message };
}

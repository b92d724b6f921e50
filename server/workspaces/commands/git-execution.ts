import type { GitSubcommand, GitWords } from "./git-words";
import type { CommandExecution } from "./types";

/**
 * Settings that hold whatever the workspace's `.git/config` says: no monitor, hook, pager or signature program is
 * started, and the text is plain, the same for everybody. A file of the agent's cannot take them back.
 */
const settings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.pager=cat",
  "core.quotePath=false",
  "color.ui=never",
  "color.status=never",
  "color.diff=never",
  "column.ui=never",
  "log.showSignature=false",
  "format.pretty=medium",
  "gpg.program=/bin/false",
];

/** Options of ours, before those of the caller. A submodule's git directory is not entered: its own config holds there. */
const ownOptions: Readonly<Record<GitSubcommand, readonly string[]>> = {
  status: ["--ignore-submodules=dirty"],
  diff: ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty"],
  log: ["--no-ext-diff", "--no-textconv", "--no-color", "--no-show-signature"],
};

const environment: Readonly<Record<string, string>> = {
  // Named outright, so that git looks for no repository further up and a planted core.worktree counts for nothing.
  GIT_DIR: ".git",
  GIT_WORK_TREE: ".",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  // A status writes no index, so that it never stands in the way of a command that does.
  GIT_OPTIONAL_LOCKS: "0",
  // A path is a path: no wildcards, no `:(exclude)`.
  GIT_LITERAL_PATHSPECS: "1",
  // A missing object is not fetched, through whatever program the configuration names for that.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  LC_ALL: "C.UTF-8",
};

/**
 * Gives the git process that is started, from the Run's directory, for words that were decided on. With it neither
 * configuration nor attributes of the workspace start a program, save clean filters: git has no switch for them. Those
 * run as the Run, in the Sandbox, where the agent can run anything anyway. Seen with git 2.39.
 */
export function planGit(git: GitWords): CommandExecution {
  return {
    argv: [
      "git",
      "--no-pager",
      ...settings.flatMap((setting) => ["-c", setting]),
      git.subcommand,
      ...ownOptions[git.subcommand],
      ...git.options,
      // Always closed by `--`: two words are then never compared as files outside of a repository.
      ...(git.subcommand === "status" ? [] : ["--end-of-options", ...git.commits]),
      "--",
      ...git.paths,
    ],
    env: environment,
    requiredPath: null,
  };
}

import type { WhitespaceMode } from "./types";

/** How long one comparison may take. */
export const diffMs = 100_000;

/**
 * No attribute is in force: the repository is bare and has none, and a newer git is told to look at an empty tree. So nothing
 * that either side holds decides how it is compared, and no program of a repository's author runs.
 */
export const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "-M", "-l1000", "--no-rename-empty"];

/** How git is told to leave white space out. */
export const whitespaceOptions: Record<WhitespaceMode, readonly string[]> = {
  none: [],
  trailing: ["--ignore-space-at-eol"],
  all: ["--ignore-all-space"],
};

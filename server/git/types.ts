/** `refs/heads/<forkBranch>` is the one branch of a fork: its HEAD, and the only ref that a Run's push can move. */
export const forkBranch = "ws";
export const forkRef = `refs/heads/${forkBranch}`;

/** The tree without a file, as git names it; a diff may begin there when there is no base commit. */
export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Who made a commit. Neither part holds `<`, `>`, a line feed or U+0000. */
export interface Identity {
  name: string;
  email: string;
}

/** A branch of the canonical repository and its newest commit. */
export interface BranchRecord {
  name: string;
  commit: string;
  subject: string;
  /** ISO 8601, UTC. */
  at: string;
  isDefault: boolean;
}

export interface CommitRecord {
  commit: string;
  tree: string;
  parents: string[];
  author: Identity;
  /** The author's time, ISO 8601 in UTC. */
  at: string;
  subject: string;
}

/** The bytes of a file, to be read once and to their end or given up. It throws where they break off. */
export interface OpenedSide {
  sizeBytes: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** What became of an import. `percent` and `receivedObjects` are null where the source has not said. */
export interface ImportStatus {
  state: "running" | "done" | "failed";
  /** Words for a person; never a credential. */
  detail: string;
  receivedObjects: number | null;
  totalObjects: number | null;
  percent: number | null;
}

/** A fork of one Run: `ws-<runId>` of a Project. */
export interface ForkName {
  projectId: string;
  forkName: string;
}

/** A password for basic authentication under any user name. It stands in no log, argument or file. */
export interface RunToken {
  token: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** `trailing` ignores white space at line ends, `all` everywhere. */
export type WhitespaceMode = "none" | "trailing" | "all";

/** Two commits (or trees, the empty one too) of a Project, whichever of its repositories holds them. */
export interface DiffRange {
  projectId: string;
  base: string;
  head: string;
}

export type DiffStatus = "added" | "deleted" | "modified" | "renamed" | "type_changed";

export type DiffKind = "text" | "binary" | "symlink" | "submodule";

/** What a reviewer could overlook in one file. The proposed side's attributes have no say in any of them. */
export type DiffFlag =
  | "mode_changed"
  | "became_executable"
  | "bom_changed"
  | "line_endings_changed"
  /** The new side, or the last one, does not end in a line feed. */
  | "no_final_newline"
  | "lfs_pointer"
  /** The new side, or the deleted one, has no byte. */
  | "empty"
  /** `linguist-generated` by the attributes of the base, never by those of the proposed side. */
  | "generated"
  /** The new side holds characters that cannot be seen or that turn the order of text. */
  | "invisible_or_bidi"
  | "conflict_markers"
  /** git would call it binary for a U+0000 in it, but it reads as text and is compared as text. */
  | "nul_in_text"
  /** Too large for its content to be looked at: the flags that need it are missing. */
  | "not_scanned";

/** One side of a file. */
export interface DiffSide {
  /** Octal as git writes it: 100644, 100755, 120000, 160000. */
  mode: string;
  /** The blob, or the commit of a submodule. */
  objectId: string;
  /** Null for a submodule. */
  sizeBytes: number | null;
  /** A guess where the bytes are not UTF-8; null for binary, submodules and what was not scanned. */
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "iso-8859-1" | null;
  lfs: { objectId: string; sizeBytes: number } | null;
}

/**
 * One file of a diff. `path` is a handle: the name itself, or `//<base64url of its bytes>` for a name that is not UTF-8
 * (no path in a tree begins with a slash). `displayPath` is for eyes only. `oldPath` differs from `path` for a rename.
 */
export interface DiffFile {
  status: DiffStatus;
  path: string;
  displayPath: string;
  oldPath: string;
  oldDisplayPath: string;
  old: DiffSide | null;
  new: DiffSide | null;
  /** 0 to 100 for a rename, else null. */
  similarity: number | null;
  kind: DiffKind;
  /** Null for a binary file. */
  insertions: number | null;
  deletions: number | null;
  flags: DiffFlag[];
}

export interface DiffStats {
  filesChanged: number;
  insertions: number;
  deletions: number;
}

/** The patch of one of several files that were asked for together. */
export interface PathPatch extends DiffPatch {
  path: string;
}

/** `patch` is git's own bytes: as text when they are UTF-8, else base64. */
export interface DiffPatch {
  patch: string;
  encoding: "utf8" | "base64";
  /** True when lines at its end were cut off. */
  truncated: boolean;
}

/**
 * `baseCommit`: the branch as it was tested. `mergeBase`: null where the two have no common history. `behindBy`: how many commits
 * of the branch the head does not have. `isContained`: the branch has the head already.
 */
export type MergeTest = {
  baseCommit: string;
  mergeBase: string | null;
  behindBy: number;
  isContained: boolean;
} & (
  | { status: "fast_forward" }
  | { status: "clean" }
  /** The branch has the head already. */
  | { status: "contained" }
  /** `files` are handles as in `DiffFile.path`; empty where the two have no common history. */
  | { status: "conflict"; files: string[] }
);

export type MergeResult =
  | { status: "merged"; commit: string; isFastForward: boolean }
  | { status: "refused"; reason: "base_moved"; current: string | null }
  | { status: "refused"; reason: "conflict"; files: string[] };

/**
 * What application code may ask of the git service. The HTTP client implements it. Every call can be repeated with the same
 * outcome. Errors of all: `git.unavailable`, `input.invalid`, `repository.not_found` for a Project without one,
 * `commit.not_found` for a commit that the Project does not hold.
 */
export interface GitService {
  /** Makes the canonical repository, without a commit, unless it is there. */
  createRepository(input: { projectId: string; defaultBranch: string }): Promise<void>;
  /**
   * Starts to copy branches and tags of an http or https address; joins the one under way. After `done` it does nothing;
   * after `failed` it starts anew. A refused address is told by the status, as every other failure. Credentials in the
   * address are used and then forgotten. The default branch is the source's, if it says so and has it, else `defaultBranch`.
   */
  importRepository(input: { projectId: string; url: string; defaultBranch: string }): Promise<ImportStatus>;
  /** Null where nothing was ever imported. */
  importStatus(input: { projectId: string }): Promise<ImportStatus | null>;
  /** The canonical repository's default branch and its commit; the commit is null before the first one. */
  getHead(input: { projectId: string }): Promise<{ branch: string; commit: string | null }>;
  /** A branch of the canonical repository. */
  getBranch(input: { projectId: string; branch: string }): Promise<{ commit: string } | null>;
  /** A commit of the canonical repository, of kept ones, or of a fork when it is named. */
  getCommit(input: { projectId: string; forkName?: string; commit: string }): Promise<CommitRecord>;

  /**
   * Makes a fork whose one branch is at `startCommit`, a commit of the canonical repository or a kept one. Its cost does not
   * grow with the repository. When the fork is there already it answers its present head.
   */
  createFork(input: ForkName & { startCommit: string }): Promise<{ commit: string }>;
  /** The fork's present head, or null when there is no such fork. */
  getForkHead(input: ForkName): Promise<{ commit: string } | null>;
  /** Removes the fork and its grants, and ends what is under way on it. Removing what is not there is done. */
  removeFork(input: ForkName): Promise<void>;
  /**
   * Keeps a commit of a fork, with all it needs, for as long as the Project exists, whatever becomes of the fork. Diffs and
   * merges need it: keep the head before a ChangeSet is written.
   */
  keepCommit(input: ForkName & { commit: string }): Promise<CommitRecord>;

  /** A token for one clone of this fork, valid for at most 120 s; it dies when the clone is complete. */
  mintFetchToken(input: ForkName & { runId: string }): Promise<RunToken>;
  /** A token for moving `ref` of this fork from `oldCommit` to `newCommit` once, valid for at most 120 s. */
  mintPushToken(
    input: ForkName & { runId: string; ref: string; oldCommit: string; newCommit: string },
  ): Promise<RunToken>;
  /** Ends every token of the fork. When it answers, nothing that began under one is still at work. */
  revokeGrants(input: ForkName): Promise<void>;

  /** One row a file, in git's order. */
  diffFiles(input: DiffRange & { whitespace?: WhitespaceMode }): Promise<DiffFile[]>;
  /**
   * The patch of one file, at most 10 MiB. With `whitespace` none and 3 lines of `context` (the defaults) it is byte for byte
   * what `git diff base head -- path` prints; a renamed file is shown as renamed. `path` is a `DiffFile.path`.
   * Errors: `file.not_found` for what does not differ.
   */
  diffPatch(
    input: DiffRange & { path: string; whitespace?: WhitespaceMode; context?: number },
  ): Promise<DiffPatch>;
  /**
   * The patches of up to 50 files, each as `diffPatch` gives it, at most 10 MiB in all: what did not fit is `truncated` and
   * empty. Errors: `file.not_found` when one of them does not differ.
   */
  diffPatches(
    input: DiffRange & { paths: readonly string[]; whitespace?: WhitespaceMode; context?: number },
  ): Promise<PathPatch[]>;
  diffStats(input: DiffRange): Promise<DiffStats>;
  /**
   * One side of a file that differs: its bytes, base64. Empty and `truncated` above `bytesMax`.
   * Errors: `file.not_found` where that side has no file, or no bytes of its own, as a submodule.
   */
  readSide(
    input: DiffRange & { path: string; side: "old" | "new"; bytesMax: number },
  ): Promise<{ base64: string; sizeBytes: number; truncated: boolean }>;
  /**
   * One side of a file that differs, as it comes, in little memory. Errors: as `readSide`, and `limit.size` above `bytesMax`.
   */
  openSide(input: DiffRange & { path: string; side: "old" | "new"; bytesMax: number }): Promise<OpenedSide>;
  /** The newest commits of a branch, first parents only, newest first. Empty where there is no such branch. */
  listCommits(input: { projectId: string; branch: string; limit: number }): Promise<CommitRecord[]>;
  /** Newest first, at most 200. */
  listBranches(input: { projectId: string }): Promise<BranchRecord[]>;
  /**
   * Makes the first commit of a canonical repository that has none. Repeating it finds what the first call did.
   * Errors: `conflict.stale` when the default branch has another commit.
   */
  seedRepository(input: {
    projectId: string;
    files: readonly { path: string; base64: string; isExecutable: boolean }[];
    message: string;
    author: Identity;
    /** ISO 8601, UTC. */
    at: string;
  }): Promise<{ commit: string }>;

  /** Tries a merge of `head` into the branch as it is now; nothing is changed. */
  testMerge(input: { projectId: string; branch: string; head: string }): Promise<MergeTest>;
  /**
   * Moves the branch from `expectedBase` to `head`, or to a merge commit whose second parent is `head`, or not at all. The
   * commit follows from the input alone, so a repeated call finds what the first one did.
   */
  merge(input: {
    projectId: string;
    branch: string;
    head: string;
    expectedBase: string;
    message: string;
    author: Identity;
    committer: Identity;
    /** ISO 8601, UTC. */
    at: string;
  }): Promise<MergeResult>;
}

/** How a workspace's package.json was read. `names` are the scripts that a command can name, in the file's order. */
export type ScriptsReading =
  | { status: "read"; names: readonly string[] }
  /** `unread`: nobody looked, because a Sandbox would have to be woken for it. */
  | { status: "absent" | "unreadable" | "too_large" | "not_json" | "unread" };

export type CommandFamily = "bun" | "git" | "ls";

export type RejectionReason =
  | "empty"
  | "too_long"
  | "character"
  | "program"
  | "subcommand"
  | "option"
  | "argument"
  | "commit"
  | "path"
  | "script"
  | "scripts_unread"
  | "compiler_missing";

/** Why a command is not run, in words to learn from. `allowed` lists every form that is, scripts included. */
export interface CommandRejection {
  status: "rejected";
  reason: RejectionReason;
  message: string;
  allowed: readonly string[];
}

/** What the kernel is handed. `env` is added to the Sandbox's own environment. */
export interface CommandExecution {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** A file of the workspace without which the command cannot run, told apart before it is started. */
  requiredPath: string | null;
}

export interface CommandAcceptance {
  status: "accepted";
  /** The words as they were typed. Joined by spaces they are decided on in the same way again. */
  argv: readonly string[];
  family: CommandFamily;
  /** A Run has one of these at a time. */
  isExclusive: boolean;
  execution: CommandExecution;
}

export type CommandDecision = CommandAcceptance | CommandRejection;

import { parseArgs, type ParseArgsConfig } from "node:util";
import { OperatorError, systemErrorCode } from "../stack/operator-error";
import type { Connection } from "./connection";

/** One command of the command line: what it is called, what it takes, and what it does. */
export interface Command {
  /** One or two words, such as `projects create`. */
  name: string;
  summary: string;
  /** Names of what stands after the command, in order; `[PATH]` may be left out, `COMMAND...` takes all that follows. */
  takes: readonly string[];
  /** Options with their words for the help; one whose name is in `flags` takes no value. */
  options?: Readonly<Record<string, string>>;
  flags?: readonly string[];
  run(given: Given): Promise<Outcome>;
}

/** What a command was given. */
export interface Given {
  connection: Connection;
  /** What stands for a name of `takes`. */
  word: (name: string) => string;
  option: (name: string) => string | undefined;
  hasFlag: (name: string) => boolean;
  /** Prints at once, for a command that follows something. */
  print: (value: unknown, text: string) => void;
}

/** `value` is what `--json` prints, `text` what people read. */
export interface Outcome {
  value: unknown;
  text: string;
  exitCode?: number;
}

export interface ParsedLine {
  command: Command;
  words: ReadonlyMap<string, string>;
  options: Readonly<Record<string, string | boolean | undefined>>;
  isJson: boolean;
  isHelp: boolean;
}

/** Reads a command line. Null when it names no command. Errors: `OperatorError` for one that can't be read. */
export function parseLine(commands: readonly Command[], line: readonly string[]): ParsedLine | null {
  const end = line.indexOf("--");
  const isGlobal = (word: string, index: number): boolean =>
    ["--json", "--help"].includes(word) && (end === -1 || index < end);
  const own = line.filter((word, index) => !isGlobal(word, index));
  const command = findCommand(commands, own);
  if (command === null) return null;
  const globals = line.filter(isGlobal);
  const isHelp = globals.includes("--help");
  const parsed = isHelp ? { words: new Map<string, string>(), options: {} } : readWords(command, own);
  return { command, ...parsed, isJson: globals.includes("--json"), isHelp };
}

/** `projects` alone means `projects list`. */
export function findCommand(
  commands: readonly Command[],
  [first = "", second = ""]: readonly string[],
): Command | null {
  const named = (name: string): Command | undefined => commands.find((command) => command.name === name);
  return named(`${first} ${second}`) ?? named(first) ?? named(`${first} list`) ?? null;
}

export function formatUsage({ name, takes, options = {}, flags = [] }: Command): string {
  const shown = Object.keys(options).map((option) => `[--${option}${flags.includes(option) ? "" : " …"}]`);
  return [
    name,
    ...(takes.at(-1)?.endsWith("...") === true ? [...shown, ...takes] : [...takes, ...shown]),
  ].join(" ");
}

function readWords(command: Command, line: readonly string[]): Pick<ParsedLine, "words" | "options"> {
  const { name, takes, options = {}, flags = [] } = command;
  const nameWords = name.split(" ").filter((word, index) => line[index] === word).length;
  const { own, rest } = splitRest(command, line.slice(nameWords));
  const config: ParseArgsConfig["options"] = Object.fromEntries(
    Object.keys(options).map((option) => [option, { type: flags.includes(option) ? "boolean" : "string" }]),
  );
  const parsed = parseStrictly(command, own, config);
  const words = rest === null ? parsed.positionals : [...parsed.positionals, rest];
  const required = takes.filter((word) => !word.startsWith("["));
  if (words.length < required.length || words.length > takes.length) {
    throw new OperatorError(`Use: ${formatUsage(command)}`);
  }
  const byName = takes.map((word, index) => [word.replace(/^\[|\]$|\.\.\.$/g, ""), words[index]] as const);
  return {
    words: new Map(byName.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    options: parsed.values as ParsedLine["options"],
  };
}

/** What follows the words before `COMMAND...` is taken as it stands, options of that command too. */
function splitRest(
  { takes }: Command,
  line: readonly string[],
): { own: readonly string[]; rest: string | null } {
  if (takes.at(-1)?.endsWith("...") !== true) return { own: line, rest: null };
  let place = 0;
  for (let found = 0; place < line.length && found < takes.length - 1; place++) {
    const word = line[place] ?? "";
    if (word.startsWith("--") && !word.includes("=")) place++;
    else if (!word.startsWith("--")) found++;
  }
  const rest = line.slice(place).filter((word, index) => !(index === 0 && word === "--"));
  return { own: line.slice(0, place), rest: rest.length === 0 ? null : rest.join(" ") };
}

function parseStrictly(
  command: Command,
  own: readonly string[],
  options: ParseArgsConfig["options"],
): { positionals: string[]; values: Record<string, unknown> } {
  try {
    return parseArgs({ args: [...own], options: options ?? {}, allowPositionals: true, strict: true });
  } catch (error) {
    if (systemErrorCode(error)?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
    const message = error instanceof Error ? error.message.split(". ")[0] : "";
    throw new OperatorError(`${message}. Use: ${formatUsage(command)}`, { cause: error });
  }
}

/** The command line over the API: `npm run -s cli -- help`. */
import {
  findCommand,
  formatUsage,
  parseLine,
  type Command,
  type Given,
  type ParsedLine,
} from "./command-line";
import { connect, type Connection } from "./connection";
import { explainError } from "./explain-error";
import { projectCommands, taskCommands } from "./project-commands";
import { runCommands, reviewCommands } from "./review-commands";
import { endCommands, workspaceCommands } from "./workspace-commands";

const groups: readonly (readonly [string, readonly Command[]])[] = [
  ["Projects and tokens", projectCommands],
  ["Changes and Tasks", taskCommands],
  ["In a workspace", workspaceCommands],
  ["The end of a Run", endCommands],
  ["Runs", runCommands],
  ["ChangeSets, Sandboxes, usage", reviewCommands],
];
const commands = groups.flatMap(([, group]) => group);

let baseUrl = "the server";
try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`✗ ${explainError(error, baseUrl)}`);
  process.exitCode = 1;
}

async function main(line: string[]): Promise<void> {
  const [first, ...rest] = line;
  if (first === undefined || first === "help" || first === "--help") return printHelp(rest);
  const parsed = parseLine(commands, line);
  if (parsed === null) {
    console.error(
      `✗ There is no command ${line.slice(0, 2).join(" ")}: \`npm run -s cli -- help\` lists them.`,
    );
    process.exitCode = 1;
    return;
  }
  if (parsed.isHelp) return printCommandHelp(parsed.command);
  const connection = await connect(process.env);
  baseUrl = connection.baseUrl;
  const { value, text, exitCode = 0 } = await parsed.command.run(givenTo(parsed, connection));
  if (parsed.isJson && value !== null) console.log(JSON.stringify(value, null, 2));
  else if (!parsed.isJson && text !== "") console.log(text);
  process.exitCode = exitCode;
}

function givenTo({ words, options, isJson }: ParsedLine, connection: Connection): Given {
  return {
    connection,
    word: (name) => words.get(name) ?? "",
    option: (name) => {
      const value = options[name];
      return typeof value === "string" ? value : undefined;
    },
    hasFlag: (name) => options[name] === true,
    print: (value, text) => console.log(isJson ? JSON.stringify(value) : text),
  };
}

function printHelp(line: string[]): void {
  const command = line.length === 0 ? null : findCommand(commands, line);
  if (command !== null) return printCommandHelp(command);
  console.log("Use: npm run -s cli -- COMMAND …\n");
  for (const [title, group] of groups) {
    console.log(title);
    for (const { name, takes, summary } of group) {
      console.log(`  ${[name.replace(/ list$/, ""), ...takes].join(" ").padEnd(38)} ${summary}`);
    }
    console.log("");
  }
  console.log("Every command takes --json, and --help for its options.");
  console.log(
    "The token is RHUMBATRON_TOKEN, else the admin token that `npm run stack:up` left in DATA_DIR.",
  );
  console.log("The server is PUBLIC_URL, else PORT on this machine.");
}

function printCommandHelp(command: Command): void {
  console.log(`${command.summary}.\n\nUse: npm run -s cli -- ${formatUsage(command)}`);
  for (const [name, words] of Object.entries(command.options ?? {})) {
    console.log(`  --${name.padEnd(14)} ${words}`);
  }
}

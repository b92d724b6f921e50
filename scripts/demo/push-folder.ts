import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describeError } from "../../server/platform/errors";
import { OperatorError, systemErrorCode } from "../stack/operator-error";

const runFile = promisify(execFile);

interface Push {
  /** Its files become the first commit of the branch. */
  folder: string;
  message: string;
  cloneUrl: string;
  branch: string;
  token: string;
}

/**
 * Makes a repository of a folder and pushes it to a Project. The token goes to git through its environment: it stands in
 * no argument, no configuration and no file, and no credential helper of this machine is asked or told.
 */
export async function pushFolder({ folder, message, cloneUrl, branch, token }: Push): Promise<void> {
  const git = (...words: string[]): Promise<void> => runGit(folder, words, gitEnvironment(cloneUrl, token));
  await git("init", "--quiet", `--initial-branch=${branch}`);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", message);
  await git("push", "--quiet", cloneUrl, `HEAD:refs/heads/${branch}`);
}

/** What git needs to know to reach this repository with the token. */
export function gitEnvironment(cloneUrl: string, token: string): NodeJS.ProcessEnv {
  const basic = Buffer.from(`demo:${token}`).toString("base64");
  const settings: [string, string][] = [
    [`http.${new URL(cloneUrl).origin}/.extraHeader`, `Authorization: Basic ${basic}`],
    ["credential.helper", ""],
    ["core.hooksPath", "/dev/null"],
    ["commit.gpgSign", "false"],
  ];
  const person = { NAME: "Rhumbatron demo", EMAIL: "demo@rhumbatron.invalid" };
  return {
    ...process.env,
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: person.NAME,
    GIT_AUTHOR_EMAIL: person.EMAIL,
    GIT_COMMITTER_NAME: person.NAME,
    GIT_COMMITTER_EMAIL: person.EMAIL,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

async function runGit(folder: string, words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await runFile("git", words, { cwd: folder, env, timeout: 120_000 });
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") {
      throw new OperatorError("The demo needs git on this machine: install it and run this again.", {
        cause: error,
      });
    }
    const said =
      error instanceof Error && "stderr" in error ? String(error.stderr).trim() : describeError(error);
    throw new OperatorError(`git ${words[0] ?? ""} failed: ${said}`, { cause: error });
  }
}

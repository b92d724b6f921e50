import { execFile } from "node:child_process";

/** Gives what `git --version` prints; rejects when git cannot be run. */
export type ReadGitVersion = () => Promise<string>;

export const readInstalledGitVersion: ReadGitVersion = () =>
  new Promise((resolve, reject) => {
    execFile("git", ["--version"], { timeout: 10_000 }, (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(new Error("git cannot be run", { cause: error }));
    });
  });

const oldestMajor = 2;
const oldestMinor = 39;

/** True for git 2.39 and later. False for what cannot be read as a version. */
export function isGitRecentEnough(versionText: string): boolean {
  const match = /^git version (\d+)\.(\d+)/.exec(versionText);
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

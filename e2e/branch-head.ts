import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { gitEnvironment } from "../scripts/demo/push-folder";
import { adminToken } from "./session";

/** The commit at the head of a branch of a canonical repository, as any git client sees it. */
export async function readBranchHead(cloneUrl: string, branch: string): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["ls-remote", cloneUrl, `refs/heads/${branch}`], {
    env: gitEnvironment(cloneUrl, adminToken()),
  });
  return stdout.split("\t")[0] ?? "";
}

import { resolve } from "node:path";
import type { ApiDeps } from "../api/context";
import { createCaller } from "../api/root";
import { readSampleFiles } from "../demo/sample-files";
import { demoWords } from "../demo/script";
import { createDemo, type Demo } from "../demo/service";
import type { GitService } from "../git/types";

/** Puts the demo together: its agent calls the API inside this process, under the policies of a token like any other. */
export function wireDemo(
  getDeps: () => ApiDeps,
  parts: Pick<ApiDeps, "access" | "projects" | "clock" | "logger"> & { git: GitService },
): Demo {
  const callAs = async (token: string): Promise<ReturnType<typeof createCaller>> => {
    const caller = await parts.access.findCaller(token);
    return createCaller({ deps: getDeps(), caller, signedIn: null, browser: null });
  };
  return createDemo({
    ...parts,
    toolsFor: async (token) => (await callAs(token)).workspace,
    declareIntent: async ({ token, ...input }) => {
      await (await callAs(token)).intent.declare({ ...input, title: demoWords.taskTitle });
    },
    readSample: () => readSampleFiles(resolve("scripts/demo/sample")),
  });
}

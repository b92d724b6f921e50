import type { Steps } from "../../server/demo/types";
import { formatCommand } from "../cli/workspace-commands";

/** Says what happens, one line a step, with the time that it took. */
export function createSteps(print: (line: string) => void): Steps {
  const note = (line: string): void => print(`    ${line}`);
  return {
    take: async (what, act) => {
      const startedMs = performance.now();
      const result = await act();
      print(`✓ ${what} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
      return result;
    },
    note,
    showCommand: (result) =>
      formatCommand(result)
        .split("\n")
        .forEach((line) => note(`│ ${line}`)),
  };
}

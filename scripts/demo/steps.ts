/** Says what happens, one line a step, with the time that it took. */
export interface Steps {
  take<Result>(what: string, act: () => Promise<Result>): Promise<Result>;
  /** One line below the step. */
  note(line: string): void;
  /** A text of several lines below the step. */
  show(text: string): void;
}

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
    show: (text) => text.split("\n").forEach((line) => note(`│ ${line}`)),
  };
}

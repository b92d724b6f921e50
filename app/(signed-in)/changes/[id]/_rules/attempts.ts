/** What is needed of a ChangeSet to sort it. */
export interface Proposed {
  taskId: string;
  seriesId: string;
  version: number;
}

/** One attempt at a Task: a series of versions, the newest first. `number` counts the attempts at that Task from 1. */
export interface Attempt<Item extends Proposed> {
  seriesId: string;
  number: number;
  versions: Item[];
}

/** Sorts ChangeSets, given oldest first, into attempts; the order of the first versions is kept. */
export function attemptsOf<Item extends Proposed>(changeSets: readonly Item[]): Attempt<Item>[] {
  const attempts = new Map<string, Attempt<Item>>();
  const counts = new Map<string, number>();
  for (const changeSet of changeSets) {
    const known = attempts.get(changeSet.seriesId);
    if (known !== undefined) {
      known.versions.unshift(changeSet);
      continue;
    }
    const number = (counts.get(changeSet.taskId) ?? 0) + 1;
    counts.set(changeSet.taskId, number);
    attempts.set(changeSet.seriesId, { seriesId: changeSet.seriesId, number, versions: [changeSet] });
  }
  for (const { versions } of attempts.values()) versions.sort((left, right) => right.version - left.version);
  return [...attempts.values()];
}

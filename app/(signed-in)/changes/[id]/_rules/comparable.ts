import { attemptsOf, type Proposed } from "./attempts";

/** `changeSet.compare` takes so many and no more. */
export const comparedMax = 8;

/** The newest version of each attempt, the latest attempts when there are more than can stand beside each other. */
export function comparable<Item extends Proposed>(
  changeSets: readonly Item[],
): (Item & { attempt: number })[] {
  return attemptsOf(changeSets)
    .flatMap(({ number, versions: [newest] }) =>
      newest === undefined ? [] : [{ ...newest, attempt: number }],
    )
    .slice(-comparedMax);
}

/** What a column is called: a letter, and what it stands for. */
export interface Label {
  name: string;
  detail: string;
}

/** Names attempts by letters, since two Tasks have a first attempt each; the Task is said where there are several. */
export function labelsOf(
  attempts: readonly { taskId: string; attempt: number; version: number }[],
  tasks: readonly { id: string; title: string }[],
): Label[] {
  const isOneTask = new Set(attempts.map(({ taskId }) => taskId)).size === 1;
  return attempts.map(({ taskId, attempt, version }, place) => {
    const title = tasks.find(({ id }) => id === taskId)?.title ?? "Task";
    const detail = `attempt ${attempt}, v${version}`;
    return { name: String.fromCharCode(65 + place), detail: isOneTask ? detail : `${title}, ${detail}` };
  });
}

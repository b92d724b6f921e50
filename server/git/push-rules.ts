import { zeroCommit, type PushHead, type RefUpdate } from "./push-commands";

/** Why one ref of a push is refused, in git's own short manner, or null. */
type Refusal = (update: RefUpdate) => string | null;

/** Exactly one ref, from exactly one commit to exactly one other; the fast-forward is checked by git, which has the objects. */
export function runPushRule(granted: RefUpdate): Refusal {
  return (update) => {
    if (update.ref !== granted.ref) return "this ref is not yours to change";
    if (update.newCommit === zeroCommit) return "a fork's branch is not deleted";
    if (update.oldCommit !== granted.oldCommit) return "fetch first";
    if (update.newCommit !== granted.newCommit) return "this commit was not announced";
    return null;
  };
}

/** What an admin may do: branches and tags, by force and by deletion too; HEAD and all other refs are the service's own. */
export const peoplePushRule: Refusal = (update) =>
  /^refs\/(heads|tags)\/./.test(update.ref) ? null : "only branches and tags can be pushed";

/** All or nothing: null when every ref may move, else a reason for each. */
export function judgePush(head: PushHead, rule: Refusal): ((update: RefUpdate) => string) | null {
  const refs = new Set(head.updates.map(({ ref }) => ref));
  if (refs.size !== head.updates.length) return () => "a ref is named twice";
  if (head.updates.every((update) => rule(update) === null)) return null;
  return (update) => rule(update) ?? "another ref of this push was refused";
}

import type { Draft } from "./draft-book";
import type { Anchor, ChangeSetView, Thread } from "./types";

interface Request {
  changeSet: Pick<ChangeSetView, "id" | "version" | "headCommit" | "title">;
  summary: string;
  threads: readonly Thread[];
  drafts: readonly Draft[];
}

/** What is asked of the agent, as one text: the summary, then every open thread with its place, its code and its words. */
export function agentWords({ changeSet, summary, threads, drafts }: Request): string {
  const replies = new Map<string, string[]>();
  for (const { target, body } of drafts) {
    if (target.type !== "reply") continue;
    replies.set(target.threadId, [...(replies.get(target.threadId) ?? []), body]);
  }
  const open = threads
    .filter(({ state }) => state === "open")
    .map((thread) =>
      section(placeWords(thread.anchor), thread.kind, thread.code?.lines ?? [], [
        ...thread.comments.map(({ body }) => body),
        ...(replies.get(thread.id) ?? []),
      ]),
    );
  const begun = drafts.flatMap(({ target, body }) =>
    target.type === "comment" ? [section(placeWords(target.anchor), target.kind, [], [body])] : [],
  );
  const head = `Changes are asked for: "${changeSet.title}", version ${changeSet.version}, commit ${changeSet.headCommit} (ChangeSet ${changeSet.id}).`;
  return [head, summary.trim(), ...open, ...begun].filter((part) => part !== "").join("\n\n");
}

/** Where something is, in words. */
export function placeWords(anchor: Anchor): string {
  if (anchor === null) return "The whole ChangeSet";
  if (!("side" in anchor)) return anchor.path;
  const { path, startLine, endLine, side } = anchor;
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return `${path}:${lines}${side === "old" ? " (before the change)" : ""}`;
}

function section(place: string, kind: string, code: readonly string[], bodies: readonly string[]): string {
  const quoted = code.map((line) => `> ${line}`);
  return [`${place} [${kind}]`, ...quoted, ...bodies].join("\n");
}

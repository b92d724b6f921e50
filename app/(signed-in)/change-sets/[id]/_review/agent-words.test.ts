import { expect, it } from "vitest";
import { agentWords } from "./agent-words";
import type { Draft } from "./draft-book";
import type { Thread } from "./types";

it("an agent gets the summary and every open thread with place, code and all that was said, drafts too", () => {
  const anchor = { path: "a.ts", side: "new" as const, startLine: 2, endLine: 3 };
  const thread = (id: string, state: Thread["state"]) =>
    ({
      id,
      state,
      anchor,
      kind: "blocking",
      code: { lines: ["let a", "let b"], before: [], after: [] },
      comments: [{ body: `said in ${id}` }],
    }) as unknown as Thread;
  const draft = (target: Draft["target"], body: string) => ({ target, body }) as Draft;
  const text = agentWords({
    changeSet: { id: "c", version: 2, headCommit: "abc", title: "Limits" },
    summary: " Please. ",
    threads: [thread("t", "open"), thread("u", "resolved")],
    drafts: [
      draft({ type: "reply", threadId: "t" }, "and this"),
      draft({ type: "comment", anchor: { ...anchor, side: "old", endLine: 2 }, kind: "nit" }, "why?"),
      draft({ type: "comment", anchor: null, kind: "note" }, "overall"),
    ],
  });
  expect(text).toBe(
    [
      'Changes are asked for: "Limits", version 2, commit abc (ChangeSet c).',
      "Please.",
      "a.ts:2-3 [blocking]\n> let a\n> let b\nsaid in t\nand this",
      "a.ts:2 (before the change) [nit]\nwhy?",
      "The whole ChangeSet [note]\noverall",
    ].join("\n\n"),
  );
});

import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import type { InboxGroup } from "@/server/inbox/types";

export type InboxPage = inferRouterOutputs<AppRouter>["inbox"]["list"];
export type InboxRow = InboxPage["items"][number];

export interface GroupWords {
  group: InboxGroup;
  title: string;
  /** Said when nothing is in it. */
  empty: string;
}

/** By whose turn it is: a person's first. */
export const groups: readonly GroupWords[] = [
  { group: "needs_review", title: "Needs your review", empty: "No ChangeSet waits for a review." },
  { group: "approved", title: "Approved, waiting to be merged", empty: "Nothing approved waits." },
  {
    group: "changes_requested",
    title: "Changes requested, no agent at work",
    empty: "Every request for changes is being worked on.",
  },
  { group: "stuck", title: "Stuck", empty: "No Run broke in the last 3 days without another try." },
  { group: "working", title: "Agents at work", empty: "No Run is open." },
  { group: "merged", title: "Merged lately", empty: "Nothing was merged in the last 14 days." },
];

import type { HistoryEntry } from "./types";

const verdictWords: Record<string, string> = {
  approve: "approved it",
  request_changes: "requested changes",
  reject: "rejected it",
  comment: "commented in a review",
};

const stateWords: Record<string, string> = {
  open: "opened a thread again",
  resolved: "resolved a thread",
  wont_do: "closed a thread as won’t do",
};

/** What somebody did, as the rest of a sentence that begins with who. */
export function historyWords({ what, data }: Pick<HistoryEntry, "what" | "data">): string {
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === "string" ? value : "";
  };
  switch (what) {
    case "proposed":
      return "proposed it";
    case "superseded":
      return "put a newer version in its place";
    case "reviewed":
      return verdictWords[text("verdict")] ?? "reviewed it";
    case "commented":
      return "answered in a thread";
    case "thread_opened":
      return text("path") === ""
        ? "opened a thread on the whole of it"
        : `opened a thread on ${text("path")}`;
    case "thread_state_set":
      return stateWords[text("to")] ?? "changed a thread";
    case "mergeable":
      return "found that it merges cleanly";
    case "merge_begun":
      return `began to merge it into ${text("branch")}`;
    case "merge_refused":
      return text("reason") === "conflict"
        ? "could not merge it: it conflicts"
        : "could not merge it: the branch had moved";
    case "merge_failed":
      return "could not merge it: git failed";
    case "merged":
      return `merged it into ${text("branch")} as ${text("commit").slice(0, 8)}`;
    case "not_chosen":
      return "merged another attempt, so this one is not chosen";
  }
}

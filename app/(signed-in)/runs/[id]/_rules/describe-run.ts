import type { RunDetail } from "./run-detail";

export interface RunWords {
  look: "busy" | "quiet" | "sleep" | "bad";
  title: string;
  meaning: string;
}

const kept =
  "The log stays, with every file that a tool wrote. Its directory is gone, and nothing is proposed.";

const endings: Readonly<Record<NonNullable<RunDetail["endKind"]>, { title: string; meaning: string }>> = {
  completed: { title: "Completed", meaning: kept },
  fail_task: { title: "The agent gave the Task up", meaning: kept },
  stopped: { title: "A person stopped this Run", meaning: kept },
  closed: { title: "Closed without a result", meaning: kept },
  lost: { title: "The workspace was lost", meaning: `It could not be made anew. ${kept}` },
  expired: {
    title: "Out of time",
    meaning: `No call came for too long, or the Run grew older than a Run may be. ${kept}`,
  },
  archived: { title: "Ended with its Project", meaning: `The Project was archived. ${kept}` },
};

/** What the state of a Run means for who waits for it; null when its badge and its log say all. */
export function describeRun({ state, endKind }: Pick<RunDetail, "state" | "endKind">): RunWords | null {
  switch (state) {
    case "open":
    case "proposed":
      return null;
    case "opening":
      return {
        look: "busy",
        title: "The workspace is being made",
        meaning: "Its Sandbox is started and the repository cloned. This takes seconds.",
      };
    case "completing":
      return {
        look: "busy",
        title: "The result is being kept",
        meaning: "What the files hold now becomes a commit, and then a ChangeSet.",
      };
    case "asleep":
      return {
        look: "sleep",
        title: "Asleep",
        meaning:
          "Nothing more is charged, and its slot stays with it. The agent's next call wakes it with every edit; the log says why it went to sleep.",
      };
    case "no_changes":
      return {
        look: "quiet",
        title: "Ended with no change",
        meaning:
          "When the agent completed its Task, every file was as it had been at the start. There is no ChangeSet to review.",
      };
    case "failed":
    case "closed": {
      const { title, meaning } = endings[endKind ?? "closed"];
      return { look: state === "failed" ? "bad" : "quiet", title, meaning };
    }
  }
}

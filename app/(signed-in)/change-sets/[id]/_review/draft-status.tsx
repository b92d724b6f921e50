import type { DraftStatus } from "./draft-book";

const words: Record<DraftStatus, string> = {
  empty: "",
  unsaved: "Saving the draft …",
  saving: "Saving the draft …",
  saved: "Draft saved",
  failed: "Not saved: trying again. The text is kept in this browser.",
};

/** Whether what is being written is safe. */
export function DraftStatusNote({ status }: { status: DraftStatus }) {
  return (
    <span role="status" className={status === "failed" ? "text-xs text-bad" : "text-xs text-muted"}>
      {words[status]}
    </span>
  );
}

import type { Draft } from "./draft-book";
import type { DraftTarget } from "./types";

const prefix = "rhumbatron.draft.";

/** What was written and has not reached the server, as the browser keeps it over a reload. */
type KeptDraft = Pick<Draft, "id" | "changeSetId" | "headCommit" | "version" | "body"> & {
  seriesId: string;
  target: DraftTarget;
};

export function keepDraft(seriesId: string, draft: Draft): void {
  const { id, changeSetId, headCommit, version, target, body } = draft;
  const kept: KeptDraft = { id, seriesId, changeSetId, headCommit, version, target, body };
  try {
    localStorage.setItem(prefix + id, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage: the text is still on the page, and its status says that it is not saved.
    return;
  }
}

export function releaseDraft(id: string): void {
  localStorage.removeItem(prefix + id);
}

/** Drafts of a series that the page was closed on before they were saved. */
export function readKeptDrafts(seriesId: string): Draft[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const kept = parse(localStorage.getItem(key));
      if (kept?.seriesId !== seriesId) return [];
      const { id, changeSetId, headCommit, version, target, body } = kept;
      const draft = { id, changeSetId, headCommit, version, target, body };
      return [{ ...draft, placement: null, status: "unsaved" as const, isOpen: true }];
    });
}

function parse(text: string | null): KeptDraft | null {
  try {
    return JSON.parse(text ?? "null") as KeptDraft | null;
  } catch {
    return null;
  }
}

import type { DiffFile } from "./places";

/** Where the sizes of a diff change how it is shown. Start values; they were measured with the worker pool on. */
const limits = {
  foldedAboveLines: 400,
  askedForAboveLines: 20_000,
  askedForAboveBytes: 1024 * 1024,
  downloadOnlyAboveBytes: 10 * 1024 * 1024,
};

export type FoldReason = "generated" | "lock" | "large";

export interface FileWeight {
  /** Why its body begins folded, or null. */
  fold: FoldReason | null;
  /** `at_once`: comes by itself. `asked_for`: comes when somebody wants it. `download_only`: too large for a page. */
  body: "at_once" | "asked_for" | "download_only";
  changedLines: number;
  sizeBytes: number;
}

const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|[Cc]argo\.lock|Gemfile\.lock|Pipfile\.lock|Podfile\.lock|composer\.lock|poetry\.lock|uv\.lock|pdm\.lock|mix\.lock|pubspec\.lock|flake\.lock|go\.sum|gradle\.lockfile|packages\.lock\.json)$/;

/** What a file's size and kind mean for how its diff is shown. */
export function weigh(file: DiffFile): FileWeight {
  const changedLines = (file.insertions ?? 0) + (file.deletions ?? 0);
  const sizeBytes = Math.max(file.old?.sizeBytes ?? 0, file.new?.sizeBytes ?? 0);
  return {
    fold: foldReasonOf(file, changedLines),
    body: bodyOf(changedLines, sizeBytes),
    changedLines,
    sizeBytes,
  };
}

export function isLockFile(path: string): boolean {
  return lockFile.test(path);
}

function foldReasonOf(file: DiffFile, changedLines: number): FoldReason | null {
  if (file.flags.includes("generated")) return "generated";
  if (isLockFile(file.path)) return "lock";
  return changedLines > limits.foldedAboveLines ? "large" : null;
}

function bodyOf(changedLines: number, sizeBytes: number): FileWeight["body"] {
  if (sizeBytes > limits.downloadOnlyAboveBytes) return "download_only";
  if (sizeBytes > limits.askedForAboveBytes || changedLines > limits.askedForAboveLines) return "asked_for";
  return "at_once";
}

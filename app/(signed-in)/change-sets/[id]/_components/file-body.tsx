"use client";

import { useSyncExternalStore, type ReactNode } from "react";
import { describeApiError } from "@/app/_client/errors";
import { Bytes, formatBytes } from "@/app/_ui/amounts";
import { Button } from "@/app/_ui/button";
import { CommitHash } from "@/app/_ui/commit-hash";
import { Skeleton } from "@/app/_ui/skeleton";
import { weigh } from "@/app/_diff/file-weight";
import { hasLines } from "@/app/_diff/has-lines";
import type { DiffFile } from "@/app/_diff/places";
import { useDesk } from "./desk";
import { ImagePair, isShownAsImage } from "./image-pair";
import { rawHref } from "./raw-href";

/** What stands in place of lines that are not there: not loaded, none to show, too many, or not readable. */
export function FileBody({ path }: { path: string }) {
  const desk = useDesk();
  const file = desk.fileByPath.get(path);
  if (file === undefined) return null;
  if (file.kind === "submodule" && file.status !== "type_changed") return <SubmoduleBody file={file} />;
  if (isShownAsImage(file)) return <ImagePair file={file} />;
  if (file.kind === "binary") return <BinaryBody file={file} />;
  if (!hasLines(file)) return <Sentence>{sentenceWithoutLines(file)}</Sentence>;
  return <LinesBody file={file} />;
}

function LinesBody({ file }: { file: DiffFile }) {
  const { store, hidesLines, showLines, showTable } = useDesk();
  const state = useSyncExternalStore(
    store.subscribe,
    () => store.get(file.path),
    () => store.get(file.path),
  );
  if (state.status === "unasked") return <NotLoaded file={file} />;
  if (state.status === "loading") return <LoadingLines file={file} />;
  if (state.status === "failed") {
    const { message, domainCode } = describeApiError(state.error);
    const cause = domainCode === null && state.error instanceof Error ? state.error.message : message;
    return (
      <Sentence>
        <span role="alert">The lines of this file cannot be shown. {cause}</span>
        <Button size="sm" onClick={() => store.reload(file.path, {})}>
          Try again
        </Button>
        <Button size="sm" onClick={() => showTable(file.path)}>
          Show as a plain table
        </Button>
        <Downloads file={file} />
      </Sentence>
    );
  }
  if (hidesLines(file.path)) {
    return (
      <Sentence>
        Only line endings or the byte order mark changed; the text is the same.
        <Button size="sm" onClick={() => showLines(file.path)}>
          Show lines
        </Button>
      </Sentence>
    );
  }
  return <Sentence>No line differs.</Sentence>;
}

function NotLoaded({ file }: { file: DiffFile }) {
  const { store } = useDesk();
  const { body, sizeBytes, changedLines } = weigh(file);
  if (body === "download_only") {
    return (
      <Sentence>
        This file is {formatBytes(sizeBytes)}: too large to be shown here.
        <Downloads file={file} />
      </Sentence>
    );
  }
  if (body === "at_once") return <LoadingLines file={file} />;
  return (
    <Sentence>
      {formatBytes(sizeBytes)}, {changedLines.toLocaleString("en-US")} changed{" "}
      {changedLines === 1 ? "line" : "lines"}. It is loaded when you want it.
      <Button size="sm" onClick={() => store.want([file.path])}>
        Load the diff
      </Button>
      <Downloads file={file} />
    </Sentence>
  );
}

/** As high as the lines will be, up to a screen of them, so that little moves when they come. */
function LoadingLines({ file }: { file: DiffFile }) {
  const rows = Math.min(Math.max(weigh(file).changedLines, 1), 24);
  return (
    <div
      aria-busy="true"
      className="flex flex-col gap-1 overflow-hidden px-3 py-2"
      style={{ height: rows * 20 + 16 }}
    >
      <span className="sr-only">Loading the lines</span>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className="h-3 shrink-0 my-1" />
      ))}
    </div>
  );
}

function sentenceWithoutLines(file: DiffFile): string {
  if (file.flags.includes("empty") && (file.status === "added" || file.status === "deleted"))
    return "The file is empty.";
  if (file.status === "renamed") return "The file was renamed; its content is the same.";
  if (file.flags.includes("mode_changed")) {
    return `Only the mode changed: ${file.old?.mode ?? ""} → ${file.new?.mode ?? ""}.`;
  }
  if (file.old?.objectId !== file.new?.objectId)
    return "Only white space differs, and it is left out of the comparison.";
  return "The content is the same.";
}

function BinaryBody({ file }: { file: DiffFile }) {
  return (
    <Sentence>
      <span>
        Binary file. {file.old?.sizeBytes == null ? null : <Bytes value={file.old.sizeBytes} />}
        {file.old !== null && file.new !== null ? " → " : null}
        {file.new?.sizeBytes == null ? null : <Bytes value={file.new.sizeBytes} />}
      </span>
      <Downloads file={file} />
    </Sentence>
  );
}

function SubmoduleBody({ file }: { file: DiffFile }) {
  return (
    <Sentence>
      Submodule commit
      {file.old === null ? null : <CommitHash commit={file.old.objectId} />}
      {file.old !== null && file.new !== null ? "→" : null}
      {file.new === null ? null : <CommitHash commit={file.new.objectId} />}
    </Sentence>
  );
}

function Downloads({ file }: { file: DiffFile }) {
  const { changeSet } = useDesk();
  const looks = "text-accent underline-offset-2 hover:underline";
  return (
    <>
      {file.old === null ? null : (
        <a className={looks} href={rawHref(changeSet.id, file.path, "old")} download="">
          Download old
        </a>
      )}
      {file.new === null ? null : (
        <a className={looks} href={rawHref(changeSet.id, file.path, "new")} download="">
          Download new
        </a>
      )}
    </>
  );
}

function Sentence({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-4 text-sm text-muted wrap-anywhere">
      {children}
    </div>
  );
}

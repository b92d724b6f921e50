"use client";

import { CircleAlert, FilePen, Flag, Info, Play, RotateCcw, Terminal, type LucideIcon } from "lucide-react";
import { memo } from "react";
import { Bytes } from "@/app/_ui/amounts";
import { cn } from "@/app/_ui/class-names";
import { FilePath } from "@/app/_ui/file-path";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { DiffStat } from "@/app/_ui/diff-stat";
import { isFailure, type LogEntry, type PlainEntry } from "../_log/run-log";
import { readToolDiff } from "../_log/tool-diff";
import { CommandBlock } from "./command-block";
import { MarkedText } from "./marked-text";
import { MiniDiff } from "./mini-diff";
import type { LogTarget } from "./use-log-target";

const icons: Record<LogEntry["kind"], LucideIcon> = {
  opened: Play,
  tool: FilePen,
  command: Terminal,
  restored: RotateCcw,
  refused: CircleAlert,
  ended: Flag,
  note: Info,
};

interface EntryRowProps {
  runId: string;
  entry: LogEntry;
  /** What is searched for, marked where it is shown. */
  wanted: string;
  /** Set when this is the entry that was gone to. */
  target: LogTarget | null;
}

/** One thing that happened. Its address is `#e` and its number. */
export const EntryRow = memo(function EntryRow({ runId, entry, wanted, target }: EntryRowProps) {
  const Icon = icons[entry.kind];
  return (
    <li
      id={`e${entry.seq}`}
      data-failure={isFailure(entry)}
      className={cn(
        "flex scroll-mt-32 gap-3 border-l-2 px-3 py-1.5",
        target === null ? "border-l-transparent" : "border-l-accent",
      )}
    >
      <Icon
        aria-hidden="true"
        className={cn("mt-1.5 size-4 shrink-0", isFailure(entry) ? "text-bad" : "text-muted")}
      />
      <div className="min-w-0 flex-1">
        {entry.kind === "command" ? (
          <CommandBlock runId={runId} entry={entry} wanted={wanted} target={target} />
        ) : (
          <div className="py-0.5">
            <PlainText entry={entry} wanted={wanted} />
          </div>
        )}
      </div>
      <a
        href={`#e${entry.seq}`}
        aria-label={`Link to entry ${entry.seq}`}
        className="mt-1 hidden h-fit shrink-0 text-xs text-muted hover:text-ink hover:underline sm:block"
      >
        <RelativeTime at={entry.at} />
      </a>
    </li>
  );
});

function PlainText({ entry, wanted }: { entry: PlainEntry; wanted: string }) {
  const word = (name: string): string | null => {
    const value = entry.data[name];
    return typeof value === "string" ? value : null;
  };
  switch (entry.kind) {
    case "opened":
      return <p>The workspace opened, on {word("runtime") ?? "a runtime that was not told"}.</p>;
    case "tool":
      return <FileChange entry={entry} />;
    case "restored":
      return (
        <p>
          The workspace was made anew with every edit. <UntrustedText text={word("reason") ?? ""} />
        </p>
      );
    case "refused":
      return (
        <p className="wrap-anywhere">
          Refused:{" "}
          <code className="font-mono text-xs">
            <MarkedText text={word("command") ?? ""} wanted={wanted} />
          </code>{" "}
          <span className="text-muted">
            <MarkedText text={word("message") ?? word("reason") ?? ""} wanted={wanted} />
          </span>
        </p>
      );
    case "ended":
      return (
        <p className="font-medium">
          Ended: {(word("state") ?? "").replace("_", " ")}{" "}
          <span className="font-normal text-muted">
            <UntrustedText text={word("reason") ?? ""} />
          </span>
        </p>
      );
    case "note":
      return (
        <p className="text-muted wrap-anywhere">
          <MarkedText
            text={word("text") ?? word("message") ?? word("note") ?? JSON.stringify(entry.data)}
            wanted={wanted}
          />
        </p>
      );
  }
}

function FileChange({ entry: { data } }: { entry: PlainEntry }) {
  const tool = typeof data["tool"] === "string" ? data["tool"] : "";
  const path = typeof data["path"] === "string" ? data["path"] : "";
  const { sizeBytes, deletedCount } = data;
  const diff = readToolDiff(data);
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span>{toolWords[tool] ?? tool}</span>
        <FilePath path={path} />
        {diff === null ? null : <DiffStat insertions={diff.insertions} deletions={diff.deletions} />}
        {typeof sizeBytes === "number" ? (
          <span className="text-xs text-muted">
            <Bytes value={sizeBytes} />
          </span>
        ) : null}
        {typeof deletedCount === "number" && deletedCount > 1 ? (
          <span className="text-xs text-muted">{deletedCount} files and directories</span>
        ) : null}
      </div>
      {diff === null ? null : <MiniDiff path={path} diff={diff} />}
    </>
  );
}

const toolWords: Readonly<Record<string, string>> = {
  write_file: "Wrote",
  edit_file: "Edited",
  delete_file: "Deleted",
};

"use client";

import { CircleAlert, FilePen, Flag, Info, Play, RotateCcw, Terminal, type LucideIcon } from "lucide-react";
import { Bytes } from "@/app/_ui/amounts";
import { cn } from "@/app/_ui/class-names";
import { FilePath } from "@/app/_ui/file-path";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { isFailure, type LogEntry, type PlainEntry } from "../_log/run-log";
import { CommandBlock } from "./command-block";

const icons: Record<LogEntry["kind"], LucideIcon> = {
  opened: Play,
  tool: FilePen,
  command: Terminal,
  restored: RotateCcw,
  refused: CircleAlert,
  ended: Flag,
  note: Info,
};

/** One thing that happened. Its address is `#e` and its number. */
export function EntryRow({ runId, entry }: { runId: string; entry: LogEntry }) {
  const Icon = icons[entry.kind];
  return (
    <li
      id={`e${entry.seq}`}
      data-failure={isFailure(entry)}
      className="flex scroll-mt-20 gap-3 px-3 py-2 target:bg-sunken"
    >
      <Icon
        aria-hidden="true"
        className={cn("mt-0.5 size-4 shrink-0", isFailure(entry) ? "text-bad" : "text-muted")}
      />
      <div className="min-w-0 flex-1">
        {entry.kind === "command" ? (
          <CommandBlock runId={runId} entry={entry} />
        ) : (
          <PlainText entry={entry} />
        )}
      </div>
      <a href={`#e${entry.seq}`} className="shrink-0 text-xs text-muted hover:underline">
        <RelativeTime at={entry.at} />
      </a>
    </li>
  );
}

function PlainText({ entry }: { entry: PlainEntry }) {
  const word = (name: string): string | null => {
    const value = entry.data[name];
    return typeof value === "string" ? value : null;
  };
  const count = (name: string): number | null => {
    const value = entry.data[name];
    return typeof value === "number" ? value : null;
  };
  switch (entry.kind) {
    case "opened":
      return <p>The workspace opened ({word("runtime") ?? "runtime unknown"}).</p>;
    case "tool": {
      const size = count("sizeBytes");
      return (
        <p className="flex flex-wrap gap-x-2">
          <span>{toolWords[word("tool") ?? ""] ?? word("tool")}</span>
          <FilePath path={word("path") ?? ""} />
          {size === null ? null : (
            <span className="text-muted">
              <Bytes value={size} />
            </span>
          )}
        </p>
      );
    }
    case "restored":
      return (
        <p>
          The workspace was made anew with every edit. <UntrustedText text={word("reason") ?? ""} />
        </p>
      );
    case "refused":
      return (
        <p className="wrap-anywhere">
          Refused: <UntrustedText text={word("command") ?? ""} />{" "}
          <span className="text-muted">
            <UntrustedText text={word("message") ?? word("reason") ?? ""} />
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
          <UntrustedText
            text={word("text") ?? word("message") ?? word("note") ?? JSON.stringify(entry.data)}
          />
        </p>
      );
  }
}

const toolWords: Readonly<Record<string, string>> = {
  write_file: "Wrote",
  edit_file: "Edited",
  delete_file: "Deleted",
};

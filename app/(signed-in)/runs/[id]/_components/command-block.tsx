"use client";

import { useMemo } from "react";
import { Badge } from "@/app/_ui/badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { countLines, findLine, lineOfPiece } from "../_log/output-lines";
import { isFailure, type CommandEntry } from "../_log/run-log";
import { MarkedText } from "./marked-text";
import { OutputView } from "./output-view";
import { RawOutputButton } from "./raw-output-button";
import type { LogTarget } from "./use-log-target";

interface CommandBlockProps {
  runId: string;
  entry: CommandEntry;
  wanted: string;
  target: LogTarget | null;
}

/** A command with what it wrote, live while it runs. */
export function CommandBlock({ runId, entry, wanted, target }: CommandBlockProps) {
  const hasOutput = countLines(entry.output) > 0;
  const lineTarget = useMemo(() => {
    const piece = target === null ? null : lineOfPiece(entry.output, target.seq);
    if (target === null || piece === null) return null;
    const line = target.text === "" ? piece : findLine(entry.output, target.text, piece);
    return { line: line ?? piece };
    // What arrives later moves no line.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [target, entry.commandId]);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <code className="font-mono text-xs font-medium wrap-anywhere">
          <MarkedText text={entry.command} wanted={wanted} />
        </code>
        <Outcome entry={entry} />
        {hasOutput ? <RawOutputButton runId={runId} entry={entry} /> : null}
      </div>
      {entry.message === null ? null : (
        <p className="text-sm text-muted wrap-anywhere">
          <UntrustedText text={entry.message} />
        </p>
      )}
      {hasOutput ? (
        <OutputView
          label={`Output of ${entry.command}`}
          output={entry.output}
          revision={entry.lastSeq}
          hasFailed={isFailure(entry)}
          wanted={wanted}
          target={lineTarget}
        />
      ) : null}
    </div>
  );
}

function Outcome({ entry }: { entry: CommandEntry }) {
  const seconds = entry.durationMs === null ? "" : ` after ${(entry.durationMs / 1000).toFixed(1)} s`;
  if (entry.status === "running") return <Badge tone="accent">running</Badge>;
  if (entry.status === "exited") {
    return (
      <Badge tone={entry.exitCode === 0 ? "good" : "bad"}>
        exit {entry.exitCode ?? "by a signal"}
        {seconds}
      </Badge>
    );
  }
  return (
    <Badge tone="bad">
      {entry.status.replace("_", " ")}
      {seconds}
    </Badge>
  );
}

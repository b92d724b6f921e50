"use client";

import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useApiClient } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { cn } from "@/app/_ui/class-names";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { CommandEntry } from "../_log/run-log";
import { isErrorLine, toLines, type Line, type Tone } from "../_log/terminal-text";

/** A command with what it wrote, live while it runs. */
export function CommandBlock({ runId, entry }: { runId: string; entry: CommandEntry }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <code className="font-mono text-xs font-medium wrap-anywhere">
          <UntrustedText text={entry.command} />
        </code>
        <Outcome entry={entry} />
        {entry.output === "" ? null : <RawOutput runId={runId} entry={entry} />}
      </div>
      {entry.message === null ? null : (
        <p className="text-muted">
          <UntrustedText text={entry.message} />
        </p>
      )}
      {entry.output === "" ? null : <Output entry={entry} />}
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

const toneClasses: Record<Tone, string> = {
  good: "text-good",
  bad: "text-bad",
  warn: "text-warn",
  accent: "text-accent",
  muted: "text-muted",
};

function Output({ entry }: { entry: CommandEntry }) {
  const lines = useMemo(() => toLines(entry.output), [entry.output]);
  const shown = lines.at(-1)?.spans.length === 0 ? lines.slice(0, -1) : lines;
  return (
    <div className="rounded-md bg-sunken">
      {entry.isCut ? (
        <p className="px-3 pt-2 text-xs text-muted">Only the end is shown; the whole output is a download.</p>
      ) : null}
      <pre
        tabIndex={0}
        aria-label={`Output of ${entry.command}`}
        className="max-h-96 overflow-auto px-3 py-2 font-mono text-xs leading-5"
      >
        {shown.map((line, index) => (
          <OutputLine key={index} line={line} />
        ))}
      </pre>
    </div>
  );
}

function OutputLine({ line }: { line: Line }) {
  const text = line.spans.map((span) => span.text).join("");
  return (
    <div className={cn("min-h-5 whitespace-pre-wrap wrap-anywhere", isErrorLine(text) && "bg-bad-soft")}>
      {line.spans.map((span, index) => (
        <span
          key={index}
          className={cn(
            span.tone === null ? "" : toneClasses[span.tone],
            span.isBold && "font-semibold",
            span.isDim && "text-muted",
          )}
        >
          <UntrustedText text={span.text} />
        </span>
      ))}
      {line.frames === 0 ? null : <span className="text-muted"> ({line.frames} earlier frames)</span>}
    </div>
  );
}

const pieceBytes = 1024 * 1024;

/** Downloads each stream as it was written, byte for byte. */
function RawOutput({ runId, entry }: { runId: string; entry: CommandEntry }) {
  const client = useApiClient();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      for (const stream of ["stdout", "stderr"] as const) {
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        for (let offset = 0; ;) {
          const { commandId } = entry;
          const piece = await client.run.output.query({
            runId,
            commandId,
            stream,
            offset,
            limit: pieceBytes,
          });
          const bytes = Uint8Array.from(atob(piece.base64), (character) => character.charCodeAt(0));
          if (bytes.length === 0) break;
          pieces.push(bytes);
          offset += bytes.length;
        }
        if (pieces.length > 0) save(new Blob(pieces), `${entry.commandId}.${stream}.log`);
      }
    } catch {
      toast({ title: "The output could not be read. Try again.", tone: "bad" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" variant="ghost" busy={isBusy} onClick={() => void download()}>
      <Download aria-hidden="true" /> Raw
    </Button>
  );
}

function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

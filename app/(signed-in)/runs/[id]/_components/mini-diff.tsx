"use client";

import { useState } from "react";
import { Button } from "@/app/_ui/button";
import { cn } from "@/app/_ui/class-names";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ToolDiff } from "../_log/tool-diff";

/** So many rows stand in the log by themselves. */
const foldedRows = 14;

/** What one tool call changed in a file, as far as it was kept. */
export function MiniDiff({ path, diff }: { path: string; diff: ToolDiff }) {
  const [isWhole, setWhole] = useState(false);
  if (diff.patch === "") return <p className="mt-1 text-xs text-muted">It left the file as it was.</p>;
  const rows = diff.patch.split("\n");
  const shown = isWhole || rows.length <= foldedRows + 2 ? rows : rows.slice(0, foldedRows);
  return (
    <div className="mt-1.5 overflow-hidden rounded-md border border-line">
      <pre
        tabIndex={0}
        aria-label={`What changed in ${path}`}
        className="overflow-x-auto font-mono text-xs leading-5"
      >
        <div className="w-max min-w-full">
          {shown.map((row, index) => (
            <Row key={index} row={row} />
          ))}
        </div>
      </pre>
      {shown.length < rows.length || diff.truncated ? (
        <div className="flex items-center gap-3 border-t border-line px-2 py-0.5 text-xs text-muted">
          {shown.length < rows.length ? (
            <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
              Show {rows.length - shown.length} more lines
            </Button>
          ) : (
            <span className="py-1">The log keeps only this much of the change.</span>
          )}
        </div>
      ) : null}
    </div>
  );
}

function Row({ row }: { row: string }) {
  const sign = row.slice(0, 1);
  const isLine = sign === "+" || sign === "-" || sign === " ";
  return (
    <div
      className={cn(
        "min-h-5 px-2 whitespace-pre",
        sign === "+" && "bg-diff-added",
        sign === "-" && "bg-diff-removed",
        !isLine && "bg-sunken text-muted",
      )}
    >
      {isLine ? (
        <>
          <span className="mr-1 inline-block w-2 text-muted select-none">{sign === "-" ? "−" : sign}</span>
          <UntrustedText text={row.slice(1)} />
        </>
      ) : (
        <UntrustedText text={row} />
      )}
    </div>
  );
}

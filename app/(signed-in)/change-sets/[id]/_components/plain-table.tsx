"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Button } from "@/app/_ui/button";
import { cn } from "@/app/_ui/class-names";
import { Dialog } from "@/app/_ui/dialog";
import { FilePath } from "@/app/_ui/file-path";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { cutLongLines } from "@/app/_diff/marked-text";
import { decodePatch, toPlainPatch } from "@/app/_diff/patch-text";
import { plainRows, type PlainRow } from "@/app/_diff/plain-rows";
import type { DiffFile } from "@/app/_diff/places";
import { useDesk } from "./desk";

interface PlainTableProps {
  file: DiffFile;
  whitespace: "none" | "trailing" | "all";
  onClose: () => void;
}

const rowsAtOnce = 500;
const lineCharactersMax = 2_000;

/**
 * One file's diff as an ordinary table, for screen readers, and for the day when the drawn one breaks: it needs nothing but the
 * patch.
 */
export function PlainTable({ file, whitespace, onClose }: PlainTableProps) {
  const api = useApi();
  const { changeSet, against } = useDesk();
  const input = { id: changeSet.id, against, whitespace, path: file.path, context: 3 };
  const query = useQuery(api.changeSet.patch.queryOptions(input));
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="The lines that differ"
      description={<FilePath path={file.displayPath} />}
      className="max-w-5xl"
    >
      <QueryState query={query} awaited="the lines of the file" skeleton={<SkeletonRows rows={8} />}>
        {(raw) => (
          <Table
            text={cutLongLines(toPlainPatch(decodePatch(raw).text, file), lineCharactersMax).text}
            isCut={raw.truncated}
          />
        )}
      </QueryState>
    </Dialog>
  );
}

function Table({ text, isCut }: { text: string; isCut: boolean }) {
  const rows = useMemo(() => plainRows(text), [text]);
  const [shown, setShown] = useState(rowsAtOnce);
  return (
    <>
      {isCut ? <p className="py-2 text-sm text-warn">The server has cut the end of this diff off.</p> : null}
      <table className="w-full border-collapse font-mono text-xs">
        <thead className="sr-only">
          <tr>
            <th scope="col">Old line</th>
            <th scope="col">New line</th>
            <th scope="col">What happened</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, index) => (
            <Row key={index} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length <= shown ? null : (
        <p className="flex items-center gap-3 py-2 text-sm text-muted">
          Showing {shown.toLocaleString("en-US")} of {rows.length.toLocaleString("en-US")} rows
          <Button size="sm" onClick={() => setShown(shown + rowsAtOnce)}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}

const signs: Record<PlainRow["kind"], { sign: string; word: string; looks: string }> = {
  added: { sign: "+", word: "added", looks: "bg-diff-added" },
  removed: { sign: "−", word: "removed", looks: "bg-diff-removed" },
  context: { sign: "", word: "unchanged", looks: "" },
  heading: { sign: "", word: "hunk", looks: "bg-sunken text-muted" },
  note: { sign: "", word: "note", looks: "text-muted" },
};

function Row({ row }: { row: PlainRow }) {
  const { sign, word, looks } = signs[row.kind];
  const number = "w-px px-2 text-right align-top text-muted tabular-nums select-none";
  return (
    <tr className={looks}>
      <td className={number}>{row.oldLine}</td>
      <td className={number}>{row.newLine}</td>
      <td className="w-px px-1 align-top">
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{word}</span>
      </td>
      <td className="pr-2 whitespace-pre-wrap wrap-anywhere">
        <UntrustedText text={row.text} className={cn(row.kind !== "heading" && "whitespace-pre-wrap")} />
      </td>
    </tr>
  );
}

"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, ChevronDown, ChevronRight, MessageSquare } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { cn } from "@/app/_ui/class-names";
import { nameHiddenCharacters } from "@/app/_ui/hidden-characters";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { DiffFile } from "@/app/_diff/places";
import { useDesk } from "./desk";
import { statusLetters } from "./file-facts";
import { flatRows, treeRows, type TreeRow } from "./tree-rows";

const rowHeight = 26;

interface FileTreeProps {
  files: readonly DiffFile[];
  isFlat: boolean;
  current: string | null;
  onChoose: (path: string) => void;
  /** Why there is no file, where there is none. */
  emptyWords: string;
}

/** The files of the diff. Only rows on the screen exist, so ten thousand cost no more than thirty. */
export function FileTree({ files, isFlat, current, onChoose, emptyWords }: FileTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => (isFlat ? flatRows(files) : treeRows(files, closed)), [files, isFlat, closed]);
  const scroller = useRef<HTMLDivElement>(null);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const active = Math.max(
    rows.findIndex((row) => row.key === (activeKey ?? current)),
    0,
  );
  // The library keeps its own state, which the compiler of React cannot see into.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  useEffect(() => {
    const index = rows.findIndex((row) => row.key === current);
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  }, [current, rows, virtual]);

  function toggle(folder: string) {
    const path = folder.slice(0, -1);
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  }
  function moveTo(index: number) {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (row === undefined) return;
    setActiveKey(row.key);
    virtual.scrollToIndex(rows.indexOf(row), { align: "auto" });
  }
  function act(row: TreeRow | undefined) {
    if (row === undefined) return;
    setActiveKey(row.key);
    if (row.kind === "folder") toggle(row.key);
    else onChoose(row.file.path);
  }
  const onKeyDown = (event: KeyboardEvent): void => treeKey(event, { rows, active, moveTo, toggle, act });

  if (rows.length === 0) return <p className="p-3 text-sm text-muted">{emptyWords}</p>;
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Files"
      tabIndex={0}
      aria-activedescendant={`file-row-${active}`}
      onKeyDown={onKeyDown}
      className="group/tree min-h-0 flex-1 overflow-y-auto -outline-offset-2"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <Row
              key={row.key}
              row={row}
              index={index}
              top={start}
              isCurrent={row.key === current}
              isActive={index === active}
              onAct={() => act(row)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface TreeActs {
  rows: readonly TreeRow[];
  active: number;
  moveTo: (index: number) => void;
  toggle: (folder: string) => void;
  act: (row: TreeRow | undefined) => void;
}

/** The keys that every tree has. */
function treeKey(event: KeyboardEvent, { rows, active, moveTo, toggle, act }: TreeActs): void {
  const row = rows[active];
  const moves: Record<string, () => void> = {
    ArrowDown: () => moveTo(active + 1),
    ArrowUp: () => moveTo(active - 1),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    Enter: () => act(row),
    " ": () => act(row),
    ArrowRight: () => (row?.kind === "folder" && !row.isOpen ? toggle(row.key) : moveTo(active + 1)),
    ArrowLeft: () =>
      row?.kind === "folder" && row.isOpen ? toggle(row.key) : moveTo(parentOf(rows, active)),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above -= 1) if ((rows[above]?.depth ?? 0) < depth) return above;
  return index;
}

interface RowProps {
  row: TreeRow;
  index: number;
  top: number;
  isCurrent: boolean;
  isActive: boolean;
  onAct: () => void;
}

function Row({ row, index, top, isCurrent, isActive, onAct }: RowProps) {
  return (
    <div
      id={`file-row-${index}`}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isCurrent}
      {...(row.kind === "folder" ? { "aria-expanded": row.isOpen } : {})}
      onClick={onAct}
      className={cn(
        "absolute inset-x-0 flex cursor-pointer items-center gap-1 pr-2 text-xs select-none hover:bg-sunken",
        isCurrent && "bg-accent-soft hover:bg-accent-soft",
        isActive &&
          "group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-accent",
      )}
      style={{ height: rowHeight, transform: `translateY(${top}px)`, paddingLeft: 6 + row.depth * 12 }}
    >
      {row.kind === "folder" ? <FolderCells row={row} /> : <FileCells row={row} />}
    </div>
  );
}

function FolderCells({ row }: { row: Extract<TreeRow, { kind: "folder" }> }) {
  const Icon = row.isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <Icon className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
      <span className="min-w-0 truncate text-muted" title={nameHiddenCharacters(row.name, "name")}>
        <UntrustedText isName text={row.name} />
      </span>
      {row.isOpen ? null : <span className="ml-auto text-2xs text-muted tabular-nums">{row.files}</span>}
    </>
  );
}

function FileCells({ row }: { row: Extract<TreeRow, { kind: "file" }> }) {
  const { isViewed, noteCount } = useDesk();
  const { file } = row;
  const status = statusLetters[file.status];
  const viewed = isViewed(file.path);
  const notes = noteCount(file.path);
  return (
    <>
      <span
        className={cn("w-3.5 shrink-0 text-center font-mono text-2xs font-semibold", status.color)}
        title={status.word}
      >
        {status.letter}
      </span>
      <span
        className={cn("min-w-0 truncate", viewed && "text-muted")}
        title={nameHiddenCharacters(file.displayPath, "name")}
      >
        <UntrustedText isName text={row.name} />
      </span>
      <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-1 text-2xs tabular-nums">
        {notes.total === 0 ? null : (
          <span
            className={cn(
              "inline-flex items-center gap-0.5",
              notes.unresolved > 0 ? "text-accent" : "text-muted",
            )}
          >
            <MessageSquare className="size-3" aria-hidden="true" />
            {notes.total}
            <span className="sr-only">{notes.total === 1 ? " thread" : " threads"}</span>
          </span>
        )}
        {viewed ? (
          <>
            <Check className="size-3 text-good" aria-hidden="true" />
            <span className="sr-only">viewed</span>
          </>
        ) : null}
        {file.insertions === null ? (
          <span className="text-muted">bin</span>
        ) : (
          <span>
            {file.insertions > 0 ? <span className="text-good">+{countWords(file.insertions)}</span> : null}{" "}
            {(file.deletions ?? 0) > 0 ? (
              <span className="text-bad">−{countWords(file.deletions ?? 0)}</span>
            ) : null}
          </span>
        )}
      </span>
    </>
  );
}

function countWords(count: number): string {
  return count.toLocaleString("en-US");
}

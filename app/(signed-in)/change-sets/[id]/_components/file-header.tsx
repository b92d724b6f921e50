"use client";

import { ChevronDown, ChevronRight, EllipsisVertical, MessageSquare } from "lucide-react";
import { useState, useSyncExternalStore, type ComponentProps } from "react";
import { Badge } from "@/app/_ui/badge";
import { cn } from "@/app/_ui/class-names";
import { DiffStat } from "@/app/_ui/diff-stat";
import { Checkbox } from "@/app/_ui/field";
import { FilePath } from "@/app/_ui/file-path";
import { nameHiddenCharacters } from "@/app/_ui/hidden-characters";
import { Menu, MenuItem, MenuLink } from "@/app/_ui/menu";
import { useToast } from "@/app/_ui/toast";
import { wholeFile } from "@/app/_diff/patch-store";
import type { DiffFile } from "@/app/_diff/places";
import { useDesk } from "./desk";
import { factsOf, statusLetters } from "./file-facts";
import { rawHref } from "./raw-href";

/** Where the library expects headers of a fixed height, ours are as high as this. */
export const headerHeights = { wide: 40, narrow: 68 };

/** The head of one file in the diff; it stays on the screen while its lines pass. */
export function FileHeader({ path }: { path: string }) {
  const { fileByPath, isFolded, isNarrow } = useDesk();
  const file = fileByPath.get(path);
  if (file === undefined) return null;
  const looks = cn("bg-surface px-2", !isFolded(path) && "border-b border-line");
  const name = (
    <>
      <Fold file={file} />
      <Status file={file} />
      <FileName file={file} />
    </>
  );
  if (!isNarrow) {
    return (
      <div data-file-header="" className={cn("flex h-10 items-center gap-2", looks)}>
        {name}
        <Facts file={file} />
        <span className="ml-auto flex shrink-0 items-center gap-1">
          <State file={file} />
          <FileMenu file={file} />
        </span>
      </div>
    );
  }
  return (
    <div data-file-header="" className={cn("flex h-[68px] flex-col justify-center gap-1", looks)}>
      <div className="flex min-w-0 items-center gap-1.5">
        {name}
        <span className="ml-auto">
          <FileMenu file={file} />
        </span>
      </div>
      <div className="flex min-w-0 items-center gap-1 pl-7">
        <Facts file={file} />
        <span className="ml-auto flex shrink-0 items-center gap-1">
          <State file={file} />
        </span>
      </div>
    </div>
  );
}

function Fold({ file }: { file: DiffFile }) {
  const { isFolded, setFolded } = useDesk();
  const folded = isFolded(file.path);
  const Icon = folded ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      aria-expanded={!folded}
      aria-label={`${folded ? "Open" : "Fold"} ${file.displayPath}`}
      onClick={() => setFolded(file.path, !folded)}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
    >
      <Icon className="size-4" aria-hidden="true" />
    </button>
  );
}

function Status({ file }: { file: DiffFile }) {
  const { letter, word, color } = statusLetters[file.status];
  return (
    <span className={cn("w-3 shrink-0 text-center font-mono text-xs font-semibold", color)} title={word}>
      <span aria-hidden="true">{letter}</span>
      <span className="sr-only">{word}</span>
    </span>
  );
}

/** How much changed, what is said about it, and whether it was read. */
function State({ file }: { file: DiffFile }) {
  const { isViewed, setViewed, setFolded } = useDesk();
  return (
    <>
      <BodyNotes path={file.path} />
      {(file.insertions ?? 0) + (file.deletions ?? 0) === 0 ? null : (
        <span className="px-1">
          <DiffStat insertions={file.insertions ?? 0} deletions={file.deletions ?? 0} />
        </span>
      )}
      <Comments path={file.path} />
      <Checkbox
        label={<span className="text-xs">Viewed</span>}
        checked={isViewed(file.path)}
        onCheckedChange={(isNowViewed) => {
          setViewed(file.path, isNowViewed);
          setFolded(file.path, isNowViewed);
        }}
        className="h-6 gap-1.5 rounded-md px-1.5 hover:bg-sunken"
      />
    </>
  );
}

function FileName({ file }: { file: DiffFile }) {
  return (
    <h3
      className="flex min-w-0 flex-[0_1_auto] items-center gap-1 text-sm"
      title={nameHiddenCharacters(file.displayPath, "name")}
    >
      {file.status === "renamed" ? (
        <>
          <span className="min-w-0 truncate text-muted">
            <FilePath path={file.oldDisplayPath} className="whitespace-nowrap" />
          </span>
          <span className="shrink-0 text-muted" aria-hidden="true">
            →
          </span>
          <span className="sr-only"> renamed to </span>
        </>
      ) : null}
      <span className="min-w-0 truncate">
        <FilePath path={file.displayPath} className="whitespace-nowrap" />
      </span>
      {file.similarity === null ? null : (
        <span className="shrink-0 text-xs text-muted">{file.similarity}% alike</span>
      )}
    </h3>
  );
}

function Facts({ file }: { file: DiffFile }) {
  const facts = factsOf(file);
  if (facts.length === 0) return null;
  return (
    <div className="flex min-w-0 items-center gap-1.5 overflow-hidden">
      {facts.map((fact) => (
        <span key={fact.word} title={fact.detail} className="inline-flex">
          <Badge tone={fact.tone} icon={fact.icon}>
            {fact.word}
            <span className="sr-only">. {fact.detail}</span>
          </Badge>
        </span>
      ))}
    </div>
  );
}

/** What was done to the lines so that they can be shown. */
function BodyNotes({ path }: { path: string }) {
  const { store, isFolded } = useDesk();
  const state = useSyncExternalStore(
    store.subscribe,
    () => store.get(path),
    () => store.get(path),
  );
  if (state.status !== "ready" || isFolded(path) || state.body.cutLines === 0) return null;
  const { cutLines } = state.body;
  return (
    <button
      type="button"
      onClick={() => store.reload(path, { showsLongLines: true })}
      className="h-6 shrink-0 rounded-md px-1.5 text-xs text-accent hover:bg-sunken"
    >
      {cutLines === 1 ? "1 line is cut: show" : `${cutLines} lines are cut: show`}
    </button>
  );
}

function Comments({ path }: { path: string }) {
  const { noteCount } = useDesk();
  const { total, unresolved } = noteCount(path);
  if (total === 0) return null;
  const threads = total === 1 ? "thread" : "threads";
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1 px-1 text-xs",
        unresolved > 0 ? "text-accent" : "text-muted",
      )}
      title={`${total} ${threads}, ${unresolved} unresolved`}
    >
      <MessageSquare className="size-3.5" aria-hidden="true" />
      {total}
      <span className="sr-only">
        {" "}
        {threads}, {unresolved} unresolved
      </span>
    </span>
  );
}

/**
 * The acts on a file that are needed now and then. Their menu is made when a pointer or the focus comes near: a hundred files
 * pass while somebody scrolls, and none of them needs it. A finger or a quick hand presses before it is made, so that press
 * opens it.
 */
function FileMenu({ file }: { file: DiffFile }) {
  const [nearBy, setNearBy] = useState<"none" | "pointer" | "focus" | "press">("none");
  if (nearBy === "none") {
    return (
      <span onPointerEnter={() => setNearBy("pointer")} className="inline-flex">
        <MenuButton
          file={file}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            // This button goes with the press, and what the browser focuses in its place would close the menu again.
            event.preventDefault();
            setNearBy("press");
          }}
          onFocus={() => setNearBy((before) => (before === "press" ? before : "focus"))}
        />
      </span>
    );
  }
  return (
    <Menu startsOpen={nearBy === "press"} trigger={<MenuButton file={file} autoFocus={nearBy === "focus"} />}>
      <FileMenuItems file={file} />
    </Menu>
  );
}

function MenuButton({ file, ...rest }: { file: DiffFile } & ComponentProps<"button">) {
  return (
    <button
      type="button"
      aria-label={`More for ${file.displayPath}`}
      aria-haspopup="menu"
      {...rest}
      className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
    >
      <EllipsisVertical className="size-4" aria-hidden="true" />
    </button>
  );
}

function FileMenuItems({ file }: { file: DiffFile }) {
  const { changeSet, comment, store, showTable, setFolded } = useDesk();
  const toast = useToast();
  const isText = file.kind === "text" || file.kind === "symlink";
  async function copyPath() {
    try {
      await navigator.clipboard.writeText(file.displayPath);
      toast({ title: "The path was copied.", tone: "good" });
    } catch {
      toast({ title: "The browser did not allow the path to be copied.", tone: "bad" });
    }
  }
  return (
    <>
      <MenuItem onSelect={() => comment({ kind: "file", path: file.path })}>Comment on the file</MenuItem>
      <MenuItem onSelect={() => void copyPath()}>Copy the path</MenuItem>
      {isText ? (
        <>
          <MenuItem
            onSelect={() => {
              setFolded(file.path, false);
              store.reload(file.path, { context: wholeFile });
            }}
          >
            Show the whole file
          </MenuItem>
          <MenuItem onSelect={() => showTable(file.path)}>Show as a plain table</MenuItem>
        </>
      ) : null}
      {file.new === null || file.kind === "submodule" ? null : (
        <MenuLink>
          <a href={rawHref(changeSet.id, file.path, "new")} download="">
            Download the new file
          </a>
        </MenuLink>
      )}
      {file.old === null || file.kind === "submodule" ? null : (
        <MenuLink>
          <a href={rawHref(changeSet.id, file.path, "old")} download="">
            Download the old file
          </a>
        </MenuLink>
      )}
    </>
  );
}

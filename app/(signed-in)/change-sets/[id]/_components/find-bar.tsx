"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { Button } from "@/app/_ui/button";
import { TextInput } from "@/app/_ui/field";
import { IconButton } from "@/app/_ui/icon-button";
import { hasLines } from "@/app/_diff/has-lines";
import { cachedRows } from "@/app/_diff/line-rows";
import type { ParsedBody } from "@/app/_diff/parsed-body";
import type { PatchStore } from "@/app/_diff/patch-store";
import type { DiffFile, LinePlace } from "@/app/_diff/places";
import { weigh } from "@/app/_diff/file-weight";
import { findInFiles } from "./find-matches";

interface FindBarProps {
  files: readonly DiffFile[];
  store: PatchStore<ParsedBody>;
  revision: number;
  sought: string;
  onSought: (text: string) => void;
  onGo: (place: LinePlace) => void;
  onClose: () => void;
}

/** Finds a text in all lines that were loaded: the browser's own search sees only what is on the screen. */
export function FindBar({ files, store, revision, sought, onSought, onGo, onClose }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [at, setAt] = useState(-1);
  const deferred = useDeferredValue(sought);
  const loaded = useMemo(
    () =>
      files.flatMap(({ path }) => {
        const state = store.get(path);
        return state.status === "ready" ? [{ path, rows: cachedRows(state.body.fileDiff) }] : [];
      }),
    // `revision` stands for what `store.get` gives.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [files, store, revision],
  );
  const { places, isCut } = useMemo(() => findInFiles(loaded, deferred), [loaded, deferred]);
  const missing = files.filter(
    (file) =>
      hasLines(file) && weigh(file).body !== "download_only" && store.get(file.path).status === "unasked",
  );
  function go(step: 1 | -1) {
    if (places.length === 0) return;
    const next = (at + step + places.length) % places.length;
    const place = places[next];
    if (place === undefined) return;
    setAt(next);
    onGo(place);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }
  const count = `${places.length.toLocaleString("en-US")}${isCut ? "+" : ""}`;
  return (
    <div
      role="search"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-3 py-1.5"
    >
      <TextInput
        ref={input}
        type="search"
        aria-label="Find in changes"
        placeholder="Find in changes"
        value={sought}
        onChange={(event) => {
          setAt(-1);
          onSought(event.target.value);
        }}
        onKeyDown={onKeyDown}
        className="h-7 w-64 text-xs"
      />
      <span role="status" className="text-xs text-muted tabular-nums">
        {sought === "" ? "" : at < 0 ? `${count} lines` : `${at + 1} of ${count}`}
      </span>
      <IconButton size="sm" label="Match before" icon={ChevronUp} onClick={() => go(-1)} />
      <IconButton size="sm" label="Next match" icon={ChevronDown} onClick={() => go(1)} />
      {missing.length === 0 ? null : (
        <span className="flex items-center gap-2 text-xs text-muted">
          {missing.length.toLocaleString("en-US")} {missing.length === 1 ? "file is" : "files are"} not loaded
          <Button size="sm" className="h-6" onClick={() => store.wantLater(missing.map(({ path }) => path))}>
            Load
          </Button>
        </span>
      )}
      <span className="ml-auto">
        <IconButton size="sm" label="Close the search" icon={X} onClick={onClose} />
      </span>
    </div>
  );
}

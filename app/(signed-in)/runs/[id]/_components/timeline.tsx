"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { TextInput } from "@/app/_ui/field";
import { Panel } from "@/app/_ui/panel";
import { Select } from "@/app/_ui/select";
import { useShortcuts } from "@/app/_ui/shortcuts";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { isFailure, type LogEntry } from "../_log/run-log";
import { useRunLog, type LogLink } from "../_log/use-run-log";
import { EntryRow } from "./entry-row";

/** How many entries stand on the page at once; earlier ones come on demand. */
const windowSize = 300;
/** Nearer to the end of the page than this, the page follows what arrives. */
const tailPixels = 120;

type Shown = "all" | "failures" | "command" | "tool";

const linkWords: Record<LogLink, string> = {
  reading: "reading the log",
  live: "live",
  lost: "connection lost, taking it up again",
  complete: "complete",
};

/** Everything that happened in a Run, in order, live while it lives. */
export function Timeline({ runId, hasEnded }: { runId: string; hasEnded: boolean }) {
  const { log, link } = useRunLog(runId);
  const [shown, setShown] = useState<Shown>("all");
  const [search, setSearch] = useState("");
  const [earlier, setEarlier] = useState(0);
  const matching = log.entries.filter((entry) => isShown(entry, shown) && holds(entry, search));
  const linked = useLinkedEntry(matching);
  const start = Math.max(0, Math.min(matching.length - windowSize - earlier, linked ?? Infinity));
  const visible = matching.slice(start);
  const { newCount, jumpToEnd } = useTail(matching.length);
  const jump = useJump();
  useShortcuts("Run", [
    { keys: "n", label: "Next failure", run: () => jump(1) },
    { keys: "p", label: "Failure before", run: () => jump(-1) },
  ]);
  return (
    <Panel
      title="Log"
      count={link === "complete" || hasEnded ? `${log.entries.length} entries` : linkWords[link]}
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <Select
          label="What is shown"
          value={shown}
          onValueChange={setShown}
          className="w-36"
          options={[
            { value: "all", label: "Everything" },
            { value: "failures", label: "Failures only" },
            { value: "command", label: "Commands" },
            { value: "tool", label: "File changes" },
          ]}
        />
        <TextInput
          type="search"
          aria-label="Find in the log"
          placeholder="Find in the log"
          className="w-44 flex-1"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button size="sm" onClick={() => jump(1)} disabled={!log.entries.some(isFailure)}>
          Next failure
        </Button>
      </div>
      {start > 0 ? (
        <div className="border-b border-line p-2 text-center">
          <Button size="sm" onClick={() => setEarlier(earlier + windowSize)}>
            Show {Math.min(windowSize, start)} of {start} earlier entries
          </Button>
        </div>
      ) : null}
      {visible.length === 0 ? (
        <Nothing link={link} isFiltered={log.entries.length > 0} />
      ) : (
        <ol className="divide-y divide-line">
          {visible.map((entry) => (
            <EntryRow key={entry.seq} runId={runId} entry={entry} />
          ))}
        </ol>
      )}
      {newCount > 0 ? (
        <div className="sticky bottom-3 flex justify-center">
          <Button size="sm" variant="primary" onClick={jumpToEnd}>
            {newCount} new
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function Nothing({ link, isFiltered }: { link: LogLink; isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="Nothing in the log matches" />;
  if (link === "reading") return <SkeletonRows rows={6} />;
  return <EmptyState title="Nothing has happened yet">The first call of the agent shows here.</EmptyState>;
}

function isShown(entry: LogEntry, shown: Shown): boolean {
  if (shown === "all") return true;
  return shown === "failures" ? isFailure(entry) : entry.kind === shown;
}

function holds(entry: LogEntry, search: string): boolean {
  if (search === "") return true;
  const text = entry.kind === "command" ? `${entry.command}\n${entry.output}` : JSON.stringify(entry.data);
  return text.toLowerCase().includes(search.toLowerCase());
}

/** The place of the entry that the address names, as `#e12`. */
function useLinkedEntry(entries: readonly LogEntry[]): number | null {
  const [seq] = useState(() =>
    typeof window === "undefined" ? null : (/^#e(\d+)$/.exec(window.location.hash)?.[1] ?? null),
  );
  const place = seq === null ? -1 : entries.findIndex((entry) => entry.seq === Number(seq));
  useEffect(() => {
    if (place >= 0) document.getElementById(`e${seq}`)?.scrollIntoView({ block: "center" });
  }, [place, seq]);
  return place < 0 ? null : place;
}

/** Follows the end of the log while the reader is there; elsewhere it only counts what is new. */
function useTail(count: number) {
  const [seenCount, setSeenCount] = useState(0);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      isAtEnd.current = window.innerHeight + window.scrollY >= scrollHeight - tailPixels;
      if (isAtEnd.current) setSeenCount(count);
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [count]);
  useEffect(() => {
    // The first entries of a log are read from its beginning.
    if (seenCount === 0 || (isAtEnd.current && window.scrollY > 0)) {
      setSeenCount(count);
      if (seenCount > 0) window.scrollTo({ top: document.documentElement.scrollHeight });
    }
  }, [count, seenCount]);
  const jumpToEnd = () => {
    setSeenCount(count);
    window.scrollTo({ top: document.documentElement.scrollHeight });
  };
  return { newCount: seenCount === 0 ? 0 : count - seenCount, jumpToEnd };
}

/** Goes from failure to failure, from where the reader is. */
function useJump(): (direction: 1 | -1) => void {
  return (direction) => {
    const failures = [...document.querySelectorAll<HTMLElement>("[data-failure=true]")];
    const middle = window.innerHeight / 2;
    const place = (element: HTMLElement): number => element.getBoundingClientRect().top - middle;
    const next =
      direction === 1
        ? failures.find((element) => place(element) > 1)
        : failures.findLast((element) => place(element) < -1);
    (next ?? (direction === 1 ? failures[0] : failures.at(-1)))?.scrollIntoView({ block: "center" });
  };
}

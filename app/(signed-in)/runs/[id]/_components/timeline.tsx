"use client";

import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useSettled } from "@/app/_client/use-settled";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { TextInput } from "@/app/_ui/field";
import { Panel } from "@/app/_ui/panel";
import { Select } from "@/app/_ui/select";
import { useShortcuts } from "@/app/_ui/shortcuts";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { isFailure, placeOfEvent, type LogEntry } from "../_log/run-log";
import { useRunLog, type LogLink } from "../_log/use-run-log";
import type { RunDetail } from "../_rules/run-detail";
import { EntryRow } from "./entry-row";
import { SearchResults } from "./search-results";
import { useLogTarget, type LogTarget } from "./use-log-target";

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
export function Timeline({ run }: { run: RunDetail }) {
  const { id: runId } = run;
  const hasEnded = run.endedAt !== null;
  const { log, link } = useRunLog(runId);
  const [shown, setShown] = useState<Shown>("all");
  const [typed, setTyped] = useState("");
  const [earlier, setEarlier] = useState(0);
  const wanted = useSettled(typed.trim());
  const { target, goTo } = useLogTarget();
  const matching = log.entries.filter((entry) => isShown(entry, shown));
  const targetPlace = target === null ? -1 : placeOfEvent(matching, target.seq);
  const targetSeq = matching[targetPlace]?.seq ?? null;
  const windowStart = matching.length - windowSize - earlier;
  const start = Math.max(0, targetPlace < 0 ? windowStart : Math.min(windowStart, targetPlace));
  const visible = matching.slice(start);
  useScrollTo(target, targetSeq);
  const { newCount, jumpToEnd } = useTail(matching, log.lastSeq);
  const jump = useJump();
  const box = useRef<HTMLInputElement>(null);
  useShortcuts("Run", [
    { keys: "/", label: "Search the log", run: () => box.current?.focus() },
    { keys: "n", label: "Next failure", run: () => jump(1) },
    { keys: "p", label: "Failure before", run: () => jump(-1) },
  ]);
  return (
    <Panel
      title="Log"
      count={link === "complete" || hasEnded ? `${log.entries.length} entries` : linkWords[link]}
    >
      <LogBar
        box={box}
        shown={shown}
        onShownChange={setShown}
        typed={typed}
        onTypedChange={setTyped}
        onNextFailure={log.entries.some(isFailure) ? () => jump(1) : null}
      >
        {wanted === "" ? null : (
          <SearchResults
            runId={runId}
            text={wanted}
            onGoTo={(next) => {
              setShown("all");
              goTo(next);
            }}
          />
        )}
      </LogBar>
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
            <EntryRow
              key={entry.seq}
              runId={runId}
              entry={entry}
              wanted={wanted}
              target={entry.seq === targetSeq ? target : null}
            />
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

interface LogBarProps {
  box: RefObject<HTMLInputElement | null>;
  shown: Shown;
  onShownChange: (shown: Shown) => void;
  typed: string;
  onTypedChange: (typed: string) => void;
  /** Null while nothing failed. */
  onNextFailure: (() => void) | null;
  children: ReactNode;
}

/** What is looked for, in sight wherever the reader is. */
function LogBar(props: LogBarProps) {
  const { box, shown, onShownChange, typed, onTypedChange, onNextFailure, children } = props;
  return (
    <div className="sticky top-14 z-10 border-b border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <Select
          label="What is shown"
          value={shown}
          onValueChange={onShownChange}
          className="w-36"
          options={[
            { value: "all", label: "Everything" },
            { value: "failures", label: "Failures only" },
            { value: "command", label: "Commands" },
            { value: "tool", label: "File changes" },
          ]}
        />
        <TextInput
          ref={box}
          type="search"
          aria-label="Search the whole log"
          placeholder="Search the whole log"
          maxLength={200}
          className="order-last basis-full sm:order-none sm:w-40 sm:flex-1 sm:basis-0"
          value={typed}
          onChange={(event) => onTypedChange(event.target.value)}
        />
        <Button size="sm" className="h-8" onClick={() => onNextFailure?.()} disabled={onNextFailure === null}>
          Next failure
        </Button>
      </div>
      {children}
    </div>
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

/** Brings the entry into view that was gone to, once it is there. */
function useScrollTo(target: LogTarget | null, seq: number | null) {
  useEffect(() => {
    if (target !== null && seq !== null) {
      document.getElementById(`e${seq}`)?.scrollIntoView({ block: "center" });
    }
  }, [target, seq]);
}

/** Follows the end of the log while the reader is there; elsewhere it only counts what came since the page opened. */
function useTail(entries: readonly LogEntry[], lastSeq: number) {
  const [openedAt] = useState(() => new Date().toISOString());
  const [seenSeq, setSeenSeq] = useState(0);
  const isAtEnd = useRef(false);
  const newest = entries.at(-1)?.seq ?? 0;
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      isAtEnd.current =
        window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - tailPixels;
      if (isAtEnd.current) setSeenSeq(newest);
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [newest]);
  // Output grows the page without a new entry.
  useEffect(() => {
    if (!isAtEnd.current) return;
    setSeenSeq(newest);
    window.scrollTo({ top: document.documentElement.scrollHeight });
  }, [newest, lastSeq]);
  const jumpToEnd = () => {
    setSeenSeq(newest);
    window.scrollTo({ top: document.documentElement.scrollHeight });
  };
  const newCount = entries.filter(({ seq, at }) => seq > seenSeq && at > openedAt).length;
  return { newCount, jumpToEnd };
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

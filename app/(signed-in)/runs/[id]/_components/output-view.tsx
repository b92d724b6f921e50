"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, ChevronsDownUp } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/app/_ui/button";
import { cn } from "@/app/_ui/class-names";
import { IconButton } from "@/app/_ui/icon-button";
import { countLines, lineAt, type OutputLine, type OutputLines } from "../_log/output-lines";
import { isErrorLine, plainText, toSpans, type Tone } from "../_log/terminal-text";
import { MarkedText } from "./marked-text";

/** Longer outputs show only their last lines until they are asked for. */
const wholeLinesMax = 24;
const lastLines = { failed: 24, other: 10 };
const lineHeightPixels = 20;
/** Nearer to its end than this, the view follows what arrives. */
const tailPixels = 40;

interface OutputViewProps {
  label: string;
  output: OutputLines;
  /** Another value for every change of `output`, which grows in place. */
  revision: number;
  hasFailed: boolean;
  /** What is searched for, marked wherever it is shown. */
  wanted: string;
  /** The line to go to; another object goes there again. */
  target: { line: number } | null;
}

/** What a command wrote. Short outputs stand whole; of a long one the end, and all of it in a view that scrolls. */
export function OutputView(props: OutputViewProps) {
  const { label, output, hasFailed, wanted, target } = props;
  const [isOpen, setOpen] = useState(false);
  const [jump, setJump] = useState<{ line: number } | null>(null);
  const [seenTarget, setSeenTarget] = useState<OutputViewProps["target"]>(null);
  const count = countLines(output);
  const isShort = count <= wholeLinesMax;
  if (target !== seenTarget) {
    setSeenTarget(target);
    setJump(target);
    if (target !== null && !isShort) setOpen(true);
  }
  const first = isShort ? output.droppedLines : count - (hasFailed ? lastLines.failed : lastLines.other);
  const goTo = (line: number) => {
    setOpen(true);
    setJump({ line });
  };
  return (
    <div className="overflow-hidden rounded-md bg-sunken">
      {isShort ? null : (
        <Toolbar
          output={output}
          isOpen={isOpen}
          place={jump?.line ?? null}
          onOpenChange={setOpen}
          onGoTo={goTo}
        />
      )}
      {isOpen && !isShort ? (
        <LineList {...props} target={jump} />
      ) : (
        <pre tabIndex={0} aria-label={label} className="overflow-x-auto px-3 py-1.5 font-mono text-xs">
          {Array.from({ length: count - first }, (_, index) => (
            <LineRow
              key={first + index}
              line={lineAt(output, first + index)}
              revision={first + index === count - 1 ? props.revision : 0}
              wanted={wanted}
              isTarget={isShort && jump?.line === first + index}
            />
          ))}
        </pre>
      )}
    </div>
  );
}

interface ToolbarProps {
  output: OutputLines;
  isOpen: boolean;
  place: number | null;
  onOpenChange: (isOpen: boolean) => void;
  onGoTo: (line: number) => void;
}

function Toolbar({ output, isOpen, place, onOpenChange, onGoTo }: ToolbarProps) {
  const { errorLines } = output;
  const count = countLines(output);
  const at = place ?? -1;
  const next = errorLines.find((line) => line > at) ?? errorLines[0];
  const before = errorLines.findLast((line) => line < at) ?? errorLines.at(-1);
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-2 border-b border-line px-2 text-xs text-muted tabular-nums">
      <Button size="sm" variant="ghost" onClick={() => onOpenChange(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? <ChevronsDownUp aria-hidden="true" /> : null}
        {isOpen ? "Show the end only" : `Show all ${count.toLocaleString("en")} lines`}
      </Button>
      {isOpen && output.droppedLines > 0 ? (
        <span>The first {output.droppedLines.toLocaleString("en")} are only in the raw output.</span>
      ) : null}
      {next === undefined || before === undefined ? null : (
        <span className="ml-auto inline-flex items-center gap-1">
          {errorLines.length.toLocaleString("en")} {errorLines.length === 1 ? "error line" : "error lines"}
          <IconButton size="sm" label="Error line before" icon={ArrowUp} onClick={() => onGoTo(before)} />
          <IconButton size="sm" label="Next error line" icon={ArrowDown} onClick={() => onGoTo(next)} />
        </span>
      )}
    </div>
  );
}

function LineList({ label, output, revision, wanted, target }: OutputViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(target === null);
  const { droppedLines } = output;
  const count = countLines(output) - droppedLines;
  // The library keeps its own state, which the compiler of React cannot see into.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeightPixels,
    getItemKey: (index) => droppedLines + index,
    overscan: 20,
  });
  useEffect(() => {
    if (target === null) return;
    isAtEnd.current = false;
    virtual.scrollToIndex(target.line - droppedLines, { align: "center" });
    // Only another target moves the view.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [target]);
  useEffect(() => {
    if (isAtEnd.current) virtual.scrollToIndex(count - 1, { align: "end" });
  }, [virtual, count, revision]);
  const width = `${String(droppedLines + count).length}ch`;
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < tailPixels;
      }}
      className="h-[min(34rem,70dvh)] overflow-y-auto overscroll-contain px-2 py-1.5 font-mono text-xs"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className="absolute inset-x-0 top-0 flex"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <span
              aria-hidden="true"
              style={{ minWidth: width }}
              className="mr-3 shrink-0 text-right leading-5 text-muted tabular-nums select-none"
            >
              {droppedLines + item.index + 1}
            </span>
            <div className="min-w-0 flex-1">
              <LineRow
                line={lineAt(output, droppedLines + item.index)}
                revision={item.index === count - 1 ? revision : 0}
                wanted={wanted}
                isTarget={target?.line === droppedLines + item.index}
              />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

const toneClasses: Record<Tone, string> = {
  good: "text-good",
  bad: "text-bad",
  warn: "text-warn",
  accent: "text-accent",
  muted: "text-muted",
};

interface LineRowProps {
  line: OutputLine | undefined;
  /** Another value when the line may have grown. */
  revision: number;
  wanted: string;
  isTarget: boolean;
}

const LineRow = memo(function LineRow({ line, revision, wanted, isTarget }: LineRowProps) {
  const { text = "", style = "", frames = 0 } = line ?? {};
  const spans = useMemo(() => toSpans(style, text), [style, text]);
  const isError = useMemo(() => isErrorLine(plainText(text)), [text]);
  return (
    <div
      data-revision={revision}
      className={cn(
        "min-h-5 leading-5 whitespace-pre-wrap wrap-anywhere",
        isError && "bg-bad-soft",
        isTarget && "outline-1 outline-accent",
      )}
    >
      {spans.map((span, index) => (
        <span
          key={index}
          className={cn(
            span.tone === null ? "" : toneClasses[span.tone],
            span.isBold && "font-semibold",
            span.isDim && "text-muted",
          )}
        >
          <MarkedText text={span.text} wanted={wanted} />
        </span>
      ))}
      {frames === 0 ? null : (
        <span className="text-muted">
          {" "}
          ({frames} earlier {frames === 1 ? "frame" : "frames"})
        </span>
      )}
    </div>
  );
});

import Anser from "anser";

/** A stretch of output in one look. `tone` is one of our own colours, never one that the output names. */
export interface Span {
  text: string;
  tone: Tone | null;
  isBold: boolean;
  isDim: boolean;
}

export type Tone = "good" | "bad" | "warn" | "accent" | "muted";

/** One line as it stands at the end. `frames` counts what carriage returns wrote over, as progress bars do. */
export interface Line {
  spans: Span[];
  frames: number;
}

/** More looks than this in one output are no help to a reader: the text is shown plain then. */
const spansMax = 5_000;

const tones: Readonly<Record<string, Tone>> = {
  "ansi-red": "bad",
  "ansi-bright-red": "bad",
  "ansi-green": "good",
  "ansi-bright-green": "good",
  "ansi-yellow": "warn",
  "ansi-bright-yellow": "warn",
  "ansi-blue": "accent",
  "ansi-bright-blue": "accent",
  "ansi-cyan": "accent",
  "ansi-bright-cyan": "accent",
  "ansi-magenta": "accent",
  "ansi-bright-magenta": "accent",
  "ansi-bright-black": "muted",
  "ansi-black": "muted",
};

/** Titles, clipboard writes, links and every other string sequence: their content is never text. */
const stringSequences = /\u001b[\]PX^_](?:[^\u0007\u001b]|\u001b(?!\\))*(?:\u0007|\u001b\\|$)/g;
const controlSequences = /\u001b\[([0-?]*)[ -/]*([@-~]|$)/g;
const otherEscapes = /\u001b(?!\[)[ -/]*[0-~]?/g;
const colourSequence = /\u001b\[[0-9;:]*m/g;

/**
 * Turns what a program wrote for a terminal into lines of plain spans. Colours stay; cursor moves, screen clears, titles,
 * links and clipboard writes are taken out, so nothing written later changes what was written before. Of what a carriage
 * return wrote over in a line only the last frame is shown.
 */
export function toLines(output: string): Line[] {
  const kept = output
    .replace(stringSequences, "")
    .replace(controlSequences, (whole: string, parameters: string, final: string) =>
      final === "m" && /^[0-9;:]*$/.test(parameters) ? whole : "",
    )
    .replace(otherEscapes, "")
    .replace(/\r+\n/g, "\n");
  const colourCount = kept.match(colourSequence)?.length ?? 0;
  const text = colourCount > spansMax ? kept.replace(colourSequence, "") : kept;
  const lines = text.split("\n").map(lastFrame);
  const spans = coloured(lines.map(({ text: line }) => line).join("\n"));
  return splitAtLineFeeds(spans).map((line, index) => ({ spans: line, frames: lines[index]?.frames ?? 0 }));
}

/** How tools begin the line in which they say that something failed, and how they count what failed. */
const failures = [
  /^\s*(error|fatal|panic|fail(ed|ure)?|exception)\b/i,
  /^\s*(\(fail\)|✗|✘|×|not ok\b|npm (err!|error)|Traceback\b)/i,
  /^\s*(Uncaught\s+)?(\w+\.)*\w*(Error|Exception)(\s*[[(:]|$)/,
  /[:)]\s*(fatal )?error\b( TS\d+)?:?/i,
  /(^|\s)[1-9]\d* (fail(ed|ures?|ing)?|errors?)\b/i,
];
/** What passed, and source code that a tool shows with its line number, may speak of errors without being one. */
const noFailure = /^\s*(\(pass\)|✓|✔|ok\b|\d+ \|)/;

/** Whether a line says that something failed, for jumping from one to the next. */
export function isErrorLine(line: string): boolean {
  return !noFailure.test(line) && failures.some((failure) => failure.test(line));
}

function lastFrame(line: string): { text: string; frames: number } {
  const frames = line.split("\r").filter((frame) => frame !== "");
  return { text: frames.at(-1) ?? "", frames: Math.max(0, frames.length - 1) };
}

function coloured(text: string): Span[] {
  return Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true }).map((entry) => ({
    text: entry.content,
    tone: tones[entry.fg] ?? null,
    isBold: entry.decorations.includes("bold"),
    isDim: entry.decorations.includes("dim"),
  }));
}

function splitAtLineFeeds(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const span of spans) {
    const [first = "", ...others] = span.text.split("\n");
    if (first !== "") lines.at(-1)?.push({ ...span, text: first });
    for (const text of others) lines.push(text === "" ? [] : [{ ...span, text }]);
  }
  return lines;
}

import Anser from "anser";

/** A stretch of output in one look. `tone` is one of our own colours, never one that the output names. */
export interface Span {
  text: string;
  tone: Tone | null;
  isBold: boolean;
  isDim: boolean;
}

export type Tone = "good" | "bad" | "warn" | "accent" | "muted";

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
const wholeStringSequences = /\u001b[\]PX^_](?:[^\u0007\u001b]|\u001b(?!\\))*(?:\u0007|\u001b\\)/g;
const controlSequences = /\u001b\[([0-?]*)[ -/]*([@-~]|$)/g;
const otherEscapes = /\u001b(?!\[)[ -/]*[0-~]?/g;
const colourSequence = /\u001b\[[0-9;:]*m/g;
const resetSequence = /^\u001b\[[0;]*m$/;

/** Takes out what could reach over a line end, as far as it has arrived. */
export function withoutStrings(text: string): string {
  return text.includes("\u001b") ? text.replace(wholeStringSequences, "") : text;
}

/** Takes out cursor moves, screen clears, titles, links and clipboard writes: only text and its colours are left. */
function withColoursOnly(line: string): string {
  if (!line.includes("\u001b")) return line;
  return line
    .replace(stringSequences, "")
    .replace(controlSequences, (whole: string, parameters: string, final: string) =>
      final === "m" && /^[0-9;:]*$/.test(parameters) ? whole : "",
    )
    .replace(otherEscapes, "");
}

/** The text of a line as a reader sees it. */
export function plainText(line: string): string {
  return withColoursOnly(line).replace(colourSequence, "");
}

export function withoutColours(line: string): string {
  return line.replace(colourSequence, "");
}

export function countColours(line: string): number {
  return line.includes("\u001b") ? (line.match(colourSequence)?.length ?? 0) : 0;
}

/** More looks than this at once are no look at all. */
const heldLooksMax = 8;

/** The colour sequences that are in force behind a line that began with `style`. */
export function styleAfter(style: string, line: string): string {
  if (!line.includes("\u001b")) return style;
  let held: string[] = style.match(colourSequence) ?? [];
  for (const sequence of withColoursOnly(line).match(colourSequence) ?? []) {
    held = resetSequence.test(sequence) ? [] : [...held, sequence].slice(-heldLooksMax);
  }
  return held.join("");
}

/**
 * Turns one line of what a program wrote for a terminal into plain spans. `style` holds the colours in force where it
 * begins. Nothing written later changes what was written before.
 */
export function toSpans(style: string, line: string): Span[] {
  if (style === "" && !line.includes("\u001b")) return line === "" ? [] : [plainSpan(line)];
  const text = style + withColoursOnly(line);
  return Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true }).map((entry) => ({
    text: entry.content,
    tone: tones[entry.fg] ?? null,
    isBold: entry.decorations.includes("bold"),
    isDim: entry.decorations.includes("dim"),
  }));
}

function plainSpan(text: string): Span {
  return { text, tone: null, isBold: false, isDim: false };
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

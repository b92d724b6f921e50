import {
  countColours,
  isErrorLine,
  plainText,
  styleAfter,
  withoutColours,
  withoutStrings,
} from "./terminal-text";

/** One line as it stands at the end. `frames` counts what carriage returns wrote over, as progress bars do. */
export interface OutputLine {
  /** As it was written, colours and other sequences with it. */
  text: string;
  frames: number;
  /** The colour sequences in force where it begins. */
  style: string;
}

/**
 * What a command wrote, both streams in the order of arrival, in lines. It only grows, in place; when it is more than a
 * page can hold, its beginning goes. Lines are counted from 0 over all of it, those that went too.
 */
export interface OutputLines {
  lines: OutputLine[];
  /** The line that has no end yet. */
  open: OutputLine;
  droppedLines: number;
  heldCharacters: number;
  /** Lines that read like failures. */
  errorLines: number[];
  /** Which line each piece begins in, in order. */
  pieces: { seq: number; line: number }[];
}

/** What a page holds of one command. All of it can be downloaded. */
const heldCharactersMax = 8 * 1024 * 1024;
const heldLinesMax = 200_000;
/** A line without an end is cut into lines of this length. */
const lineCharactersMax = 16 * 1024;
/** More looks than this in one line are no help to a reader: it is shown plain then. */
const lineColoursMax = 200;

export function emptyOutput(): OutputLines {
  const open = { text: "", frames: 0, style: "" };
  return { lines: [], open, droppedLines: 0, heldCharacters: 0, errorLines: [], pieces: [] };
}

export function countLines({ droppedLines, lines, open }: OutputLines): number {
  return droppedLines + lines.length + (open.text === "" ? 0 : 1);
}

/** The line of that number; undefined for one that went or is not there yet. */
export function lineAt({ droppedLines, lines, open }: OutputLines, line: number): OutputLine | undefined {
  const place = line - droppedLines;
  return place === lines.length && open.text !== "" ? open : lines[place];
}

/** The line in which a piece begins; null when the piece is no part of this output. */
export function lineOfPiece({ pieces }: OutputLines, seq: number): number | null {
  return pieces.find((piece) => piece.seq === seq)?.line ?? null;
}

/** The first line from `from` on whose text holds this one, in any case of its letters. */
export function findLine(output: OutputLines, text: string, from: number): number | null {
  const wanted = text.toLowerCase();
  for (let line = Math.max(from, output.droppedLines); line < countLines(output); line++) {
    if (
      plainText(lineAt(output, line)?.text ?? "")
        .toLowerCase()
        .includes(wanted)
    )
      return line;
  }
  return null;
}

/** Adds a piece of output. */
export function appendOutput(output: OutputLines, seq: number, text: string): void {
  output.pieces.push({ seq, line: output.droppedLines + output.lines.length });
  const { open } = output;
  const [first = "", ...others] = withoutStrings(open.text + text).split("\n");
  output.open = { ...open, text: first };
  for (const next of others) {
    closeLine(output);
    output.open.text = next;
  }
  foldFrames(output.open);
  while (output.open.text.length > lineCharactersMax) cutOpenLine(output);
  forgetBeginning(output);
}

function closeLine(output: OutputLines): void {
  const line = output.open;
  line.text = line.text.replace(/\r+$/, "");
  foldFrames(line);
  if (countColours(line.text) > lineColoursMax) line.text = withoutColours(line.text);
  if (isErrorLine(plainText(line.text))) output.errorLines.push(output.droppedLines + output.lines.length);
  output.lines.push(line);
  output.heldCharacters += line.text.length;
  output.open = { text: "", frames: 0, style: styleAfter(line.style, line.text) };
}

/** Of what a carriage return wrote over in a line only the last frame is kept. */
function foldFrames(line: OutputLine): void {
  if (!line.text.includes("\r")) return;
  const frames = line.text.split("\r").filter((frame) => frame !== "");
  // One at the end may still become a line end.
  line.text = (frames.at(-1) ?? "") + (line.text.endsWith("\r") ? "\r" : "");
  line.frames += Math.max(0, frames.length - 1);
}

function cutOpenLine(output: OutputLines): void {
  if (countColours(output.open.text) > lineColoursMax) {
    output.open.text = withoutColours(output.open.text);
    return;
  }
  const rest = output.open.text.slice(lineCharactersMax);
  output.open.text = output.open.text.slice(0, lineCharactersMax);
  closeLine(output);
  output.open.text = rest;
}

function forgetBeginning(output: OutputLines): void {
  if (output.heldCharacters <= heldCharactersMax && output.lines.length <= heldLinesMax) return;
  // A quarter at a time, so that it happens seldom.
  const gone = output.lines.splice(0, Math.ceil(output.lines.length / 4));
  output.heldCharacters -= gone.reduce((sum, { text }) => sum + text.length, 0);
  output.droppedLines += gone.length;
  output.errorLines = output.errorLines.filter((line) => line >= output.droppedLines);
}

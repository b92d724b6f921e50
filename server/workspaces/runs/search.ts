import type { OutputStream } from "../../sandboxd/types";
import type { WorkspaceStores } from "../deps";
import { withoutSplitStart } from "../utf8-cut";
import { createFinder, textsOf, type Found } from "./search-text";
import type { RunEventRecord, RunEventView } from "./types";

/** One call looks at no more than this, so that no search holds the server up; the next call goes on. */
const scannedEventsMax = 2_000;
const scannedBytesMax = 4 * 1024 * 1024;
const batchSize = 100;
/** What of the piece before is read too, so that a line that goes on from there is told with its beginning. */
const lineLeadBytes = 256;

/** Where in a Run's log a text stands. */
export interface RunMatch extends Found {
  seq: number;
  at: string;
  kind: RunEventView["kind"];
  /** The command that wrote it, for output and for commands. */
  commandId: string | null;
}

export interface RunSearchInput {
  runId: string;
  text: string;
  after: number;
  limit: number;
}

/** `nextAfter` is where to go on, with or without a match so far; null when the end of the log was reached. */
export interface RunMatches {
  items: RunMatch[];
  nextAfter: number | null;
}

type SearchedStores = Pick<WorkspaceStores, "runs" | "commands">;

/** Looks through events and the output of commands, in order. A text that two pieces of a stream share is found in the later one. */
export async function searchRun(stores: SearchedStores, input: RunSearchInput): Promise<RunMatches> {
  const { runId, text, limit } = input;
  const find = createFinder(text);
  const leadBytes = Buffer.byteLength(text) + lineLeadBytes;
  const items: RunMatch[] = [];
  let { after } = input;
  let scannedEvents = 0;
  let scannedBytes = 0;
  for (;;) {
    const read = await stores.runs.listEvents(runId, { after, kinds: null, limit: batchSize });
    const events = withinBytes(read, scannedBytesMax - scannedBytes);
    const pieces = await readPieces(stores, events, leadBytes);
    for (const event of events) {
      const piece = pieces.get(event.seq);
      const found = piece === undefined ? find(textsOf(event.data)) : find(piece.text, piece.lead);
      if (found !== null) items.push(toMatch(event, found));
      after = event.seq;
      scannedEvents++;
      scannedBytes += byteCountOf(event);
      if (items.length >= limit || scannedEvents >= scannedEventsMax || scannedBytes >= scannedBytesMax)
        return { items, nextAfter: after };
    }
    if (events.length === read.length && read.length < batchSize) return { items, nextAfter: null };
  }
}

interface OutputData {
  commandId: string;
  stream: OutputStream;
  offset: number;
  byteCount: number;
}

function outputOf({ kind, data }: RunEventRecord): OutputData | null {
  return kind === "output" ? (data as unknown as OutputData) : null;
}

function byteCountOf(event: RunEventRecord): number {
  return outputOf(event)?.byteCount ?? 0;
}

/** The first events whose output is no more than that together; one at least. */
function withinBytes(events: readonly RunEventRecord[], bytesMax: number): RunEventRecord[] {
  let bytes = 0;
  return events.filter((event, index) => {
    bytes += byteCountOf(event);
    return index === 0 || bytes <= bytesMax;
  });
}

/** The text of every piece of output, with what stands before it. Each stream is read in one go: its pieces follow each other. */
async function readPieces(
  stores: SearchedStores,
  events: readonly RunEventRecord[],
  leadBytes: number,
): Promise<Map<number, { text: string; lead: string }>> {
  const streams = new Map<string, { start: number; end: number; pieces: (OutputData & { seq: number })[] }>();
  for (const event of events) {
    const data = outputOf(event);
    if (data === null) continue;
    const key = `${data.commandId} ${data.stream}`;
    const start = Math.max(0, data.offset - leadBytes);
    const read = streams.get(key) ?? { start, end: start, pieces: [] };
    read.end = data.offset + data.byteCount;
    read.pieces.push({ ...data, seq: event.seq });
    streams.set(key, read);
  }
  const found = new Map<number, { text: string; lead: string }>();
  for (const { start, end, pieces } of streams.values()) {
    const [first] = pieces;
    if (first === undefined) continue;
    const slice = { stream: first.stream, offset: start, limit: end - start };
    const bytes = await stores.commands.readOutput(first.commandId, slice);
    for (const { seq, offset, byteCount } of pieces) {
      const at = offset - start;
      const lead = withoutSplitStart(bytes.subarray(Math.max(0, at - leadBytes), at));
      found.set(seq, { text: decode(bytes.subarray(at, at + byteCount)), lead: decode(lead) });
    }
  }
  return found;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function toMatch({ seq, at, kind, data }: RunEventRecord, found: Found): RunMatch {
  const { commandId } = data;
  return {
    seq,
    at: at.toISOString(),
    kind,
    commandId: typeof commandId === "string" ? commandId : null,
    ...found,
  };
}

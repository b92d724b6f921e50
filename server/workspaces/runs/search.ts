import type { OutputStream } from "../../sandboxd/types";
import type { WorkspaceStores } from "../deps";
import { withoutSplitStart } from "../utf8-cut";
import { createFinder, textsOf, type Finder, type Found } from "./search-text";
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
  const search = { find: createFinder(text), leadBytes: Buffer.byteLength(text) + lineLeadBytes };
  const items: RunMatch[] = [];
  let { after } = input;
  let scannedEvents = 0;
  let scannedBytes = 0;
  for (;;) {
    const events = await stores.runs.listEvents(runId, { after, kinds: null, limit: batchSize });
    for (const event of events) {
      const { found, byteCount } = await findIn(stores, event, search);
      if (found !== null) items.push(toMatch(event, found));
      after = event.seq;
      scannedEvents++;
      scannedBytes += byteCount;
      if (items.length >= limit || scannedEvents >= scannedEventsMax || scannedBytes >= scannedBytesMax)
        return { items, nextAfter: after };
    }
    if (events.length < batchSize) return { items, nextAfter: null };
  }
}

async function findIn(
  stores: SearchedStores,
  { kind, data }: RunEventRecord,
  search: { find: Finder; leadBytes: number },
): Promise<{ found: Found | null; byteCount: number }> {
  if (kind !== "output") return { found: search.find(textsOf(data)), byteCount: 0 };
  const piece = data as { commandId: string; stream: OutputStream; offset: number; byteCount: number };
  const { commandId, stream, offset, byteCount } = piece;
  const start = Math.max(0, offset - search.leadBytes);
  const slice = { stream, offset: start, limit: offset - start + byteCount };
  const bytes = await stores.commands.readOutput(commandId, slice);
  const lead = withoutSplitStart(bytes.subarray(0, offset - start));
  return { found: search.find(decode(bytes.subarray(offset - start)), decode(lead)), byteCount };
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

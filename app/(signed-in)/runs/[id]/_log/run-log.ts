import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { appendOutput, emptyOutput, lineOfPiece, type OutputLines } from "./output-lines";

export type RunEvent = inferRouterOutputs<AppRouter>["run"]["events"]["items"][number];

/** A command from its start to its end, with what it wrote last. */
export interface CommandEntry {
  kind: "command";
  seq: number;
  at: string;
  commandId: string;
  command: string;
  status: string;
  exitCode: number | null;
  durationMs: number | null;
  message: string | null;
  /** What it wrote; grows in place. */
  output: OutputLines;
  /** The last event that told of it, so that it is another entry after each. */
  lastSeq: number;
}

/** Everything else that happened, as it was told. */
export interface PlainEntry {
  kind: Exclude<RunEvent["kind"], "command" | "output">;
  seq: number;
  at: string;
  data: RunEvent["data"];
}

export type LogEntry = CommandEntry | PlainEntry;

/** What a Run's events come to. A reader holds one and adds events as they arrive, in their order. */
export interface RunLog {
  entries: readonly LogEntry[];
  lastSeq: number;
}

export const emptyLog: RunLog = { entries: [], lastSeq: 0 };

/** Joins the bytes of each stream, so that a character that arrived in two pieces is one again. */
export type Decoders = Map<string, TextDecoder>;

/** The log with these events in it, once. One that is in it already changes nothing. */
export function addEvents(log: RunLog, events: readonly RunEvent[], decoders: Decoders): RunLog {
  const entries = [...log.entries];
  const places = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (entry.kind === "command") places.set(entry.commandId, index);
  });
  let { lastSeq } = log;
  for (const event of events) {
    if (event.seq <= lastSeq) continue;
    lastSeq = event.seq;
    const { kind, seq, at, data } = event;
    if (kind !== "command" && kind !== "output") {
      entries.push({ kind, seq, at, data });
      continue;
    }
    const commandId = textOf(data["commandId"]) ?? "";
    const place = places.get(commandId);
    const known = place === undefined ? undefined : entries[place];
    const before = known?.kind === "command" ? known : newCommand(event, commandId);
    const after = kind === "output" ? withOutput(before, event, decoders) : withState(before, event);
    if (place === undefined) places.set(commandId, entries.push(after) - 1);
    else entries[place] = after;
  }
  return { entries, lastSeq };
}

function newCommand({ seq, at }: RunEvent, commandId: string): CommandEntry {
  return {
    kind: "command",
    seq,
    at,
    commandId,
    command: "",
    status: "running",
    exitCode: null,
    durationMs: null,
    message: null,
    output: emptyOutput(),
    lastSeq: seq,
  };
}

function withState(entry: CommandEntry, { seq, data }: RunEvent): CommandEntry {
  return {
    ...entry,
    command: textOf(data["command"]) ?? entry.command,
    status: textOf(data["status"]) ?? entry.status,
    exitCode: numberOf(data["exitCode"]) ?? entry.exitCode,
    durationMs: numberOf(data["durationMs"]) ?? entry.durationMs,
    message: textOf(data["message"]) ?? entry.message,
    lastSeq: seq,
  };
}

function withOutput(entry: CommandEntry, { seq, data }: RunEvent, decoders: Decoders): CommandEntry {
  const key = `${entry.commandId} ${textOf(data["stream"]) ?? ""}`;
  const decoder = decoders.get(key) ?? new TextDecoder("utf-8", { ignoreBOM: true });
  decoders.set(key, decoder);
  const bytes = Uint8Array.from(atob(textOf(data["base64"]) ?? ""), (character) => character.charCodeAt(0));
  appendOutput(entry.output, seq, decoder.decode(bytes, { stream: true }));
  return { ...entry, lastSeq: seq };
}

/** The entry that an event belongs to: its own, or that of the command that it tells of. */
export function placeOfEvent(entries: readonly LogEntry[], seq: number): number {
  return entries.findIndex(
    (entry) =>
      entry.seq === seq ||
      (entry.kind === "command" && (entry.lastSeq === seq || lineOfPiece(entry.output, seq) !== null)),
  );
}

/** Whether an entry tells of something that went wrong. */
export function isFailure(entry: LogEntry): boolean {
  if (entry.kind === "command") {
    return entry.status === "exited" ? entry.exitCode !== 0 : entry.status !== "running";
  }
  return entry.kind === "refused" || (entry.kind === "ended" && entry.data["state"] === "failed");
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

import { describe, expect, it } from "vitest";
import {
  addEvents,
  emptyLog,
  isFailure,
  placeOfEvent,
  type Decoders,
  type LogEntry,
  type RunEvent,
} from "./run-log";

const at = "2026-01-01T00:00:00.000Z";
const event = (seq: number, kind: RunEvent["kind"], data: Record<string, unknown>): RunEvent => ({
  seq,
  at,
  kind,
  data,
});
const textOf = (entry: LogEntry | undefined): string | undefined =>
  entry?.kind === "command" ? entry.output.open.text : undefined;
const piece = (seq: number, stream: string, bytes: Buffer): RunEvent =>
  event(seq, "output", { commandId: "c", stream, base64: bytes.toString("base64") });

describe("the log of a Run", () => {
  it("is the same in whatever pieces its events arrive, and when some arrive twice", () => {
    const events = [
      event(1, "opened", {}),
      event(2, "command", { commandId: "c", command: "bun test", status: "running" }),
      piece(3, "stdout", Buffer.from("1")),
      piece(4, "stderr", Buffer.from("2")),
      event(5, "command", { commandId: "c", status: "exited", exitCode: 1, durationMs: 9 }),
      event(6, "ended", { state: "failed" }),
    ];
    const whole = addEvents(emptyLog, events, new Map());
    const decoders: Decoders = new Map();
    let log = emptyLog;
    for (const one of events) log = addEvents(log, [one, ...events.slice(0, 2)], decoders);
    expect(log).toEqual(whole);
    expect(whole.entries).toMatchObject([
      { kind: "opened" },
      { kind: "command", command: "bun test", status: "exited", exitCode: 1 },
      { kind: "ended" },
    ]);
    expect(textOf(whole.entries[1])).toBe("12");
    expect(whole.entries.map(isFailure)).toEqual([false, true, true]);
  });

  it("joins a character whose bytes arrive in two pieces", () => {
    const bytes = Buffer.from("café ☕");
    const log = addEvents(
      emptyLog,
      [
        piece(1, "stdout", bytes.subarray(0, 4)),
        piece(2, "stderr", Buffer.from("x")),
        piece(3, "stdout", bytes.subarray(4)),
      ],
      new Map(),
    );
    expect(textOf(log.entries[0])).toBe("cafxé ☕");
  });

  it("finds the entry of every event by its number", () => {
    const { entries } = addEvents(
      emptyLog,
      [
        event(1, "opened", {}),
        event(2, "command", { commandId: "c", command: "bun test", status: "running" }),
        event(3, "tool", {}),
        piece(4, "stdout", Buffer.from("1")),
        event(5, "command", { commandId: "c", status: "exited", exitCode: 0 }),
      ],
      new Map(),
    );
    expect([1, 2, 3, 4, 5, 6].map((seq) => placeOfEvent(entries, seq))).toEqual([0, 1, 2, 1, 1, -1]);
  });
});

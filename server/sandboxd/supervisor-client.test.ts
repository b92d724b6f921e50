import { Duplex, PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { DomainError, toErrorBody } from "../platform/errors";
import { createSilentLogger } from "../platform/logger";
import { createFakeClock, type FakeClock } from "../testing/fake-clock";
import type { Supervisor } from "./supervisor";
import { createSupervisorClient } from "./supervisor-client";
import {
  createFrameReader,
  decodeCredit,
  decodeRequest,
  encodeAttachment,
  encodeFrame,
  encodeJsonFrame,
  encodeOutput,
  frameKind,
  type CommandEndHead,
  type Frame,
} from "./supervisor-protocol";
import type { RunUid } from "./types";

const uid = 10_001 as RunUid;
const target = { uid, root: "/workspace/run", path: "a" };
const end: CommandEndHead = {
  status: "exited",
  commandId: "c",
  exitCode: 0,
  signal: null,
  durationMs: 1,
  reason: null,
  message: null,
  stdoutBytes: 5,
  stderrBytes: 0,
  stdoutKeptBytes: 3,
  stderrKeptBytes: 0,
  stdoutTailBytes: 2,
};

interface FarSide {
  supervisor: Supervisor;
  clock: FakeClock;
  /** The next frame that the client sent. */
  next: () => Promise<Frame>;
  send: (frame: Uint8Array | null) => void;
  hangUp: () => void;
}

function connect(): FarSide {
  const toClient = new PassThrough();
  const fromClient = new PassThrough();
  const stream = Duplex.from({ readable: toClient, writable: fromClient });
  const clock = createFakeClock();
  const supervisor = createSupervisorClient({ stream, clock, logger: createSilentLogger() });
  const frames: Frame[] = [];
  const reader = createFrameReader();
  let arrived = (): void => {};
  fromClient.on("data", (piece: Buffer) => {
    frames.push(...reader.push(piece).map((frame) => ({ ...frame, payload: frame.payload.slice() })));
    arrived();
  });
  return {
    supervisor,
    clock,
    next: async () => {
      for (;;) {
        const frame = frames.shift();
        if (frame !== undefined) return frame;
        await new Promise<void>((resolve) => (arrived = resolve));
      }
    },
    send: (frame) => {
      if (frame !== null) toClient.write(frame);
    },
    hangUp: () => toClient.end(),
  };
}

test("bytes go before their request and come before their answer", async () => {
  const { supervisor, next, send } = connect();
  const written = supervisor.writeFile({ ...target, bytes: Uint8Array.of(1, 2), mode: null });
  expect(await next()).toMatchObject({ kind: frameKind.data, payload: Uint8Array.of(1, 2) });
  const request = await next();
  expect(decodeRequest(request.payload)).toEqual({ method: "writeFile", params: { ...target, mode: null } });
  send(encodeJsonFrame(frameKind.answer, request.requestId, { created: true, mode: "0644" }));
  expect(await written).toEqual({ created: true, mode: "0644" });

  const read = supervisor.readFile({ ...target, bytesMax: 10 });
  const { requestId } = await next();
  for (const frame of encodeAttachment(requestId, Uint8Array.of(7, 8))) send(frame);
  send(encodeJsonFrame(frameKind.answer, requestId, { sizeBytes: 2, mode: "0644", truncated: false }));
  expect(await read).toEqual({ bytes: Uint8Array.of(7, 8), sizeBytes: 2, mode: "0644", truncated: false });
});

test("answers are told apart by their request, in whatever order they come", async () => {
  const { supervisor, next, send } = connect();
  const calls = [
    supervisor.prepareRun({ uid, directory: "/workspace/1" }),
    supervisor.prepareRun({ uid, directory: "/workspace/2" }),
  ];
  const [first, second] = [await next(), await next()];
  send(encodeJsonFrame(frameKind.answer, second.requestId, { home: "2", tmp: "2" }));
  send(encodeJsonFrame(frameKind.answer, first.requestId, { home: "1", tmp: "1" }));
  expect((await Promise.all(calls)).map(({ home }) => home)).toEqual(["1", "2"]);
});

test("an error of the supervisor arrives with its code", async () => {
  const { supervisor, next, send } = connect();
  const call = supervisor.deleteFile({ ...target, recursive: false });
  const { requestId } = await next();
  send(encodeJsonFrame(frameKind.failure, requestId, toErrorBody(new DomainError("path.reserved", "no"))));
  await expect(call).rejects.toMatchObject({ code: "path.reserved", message: "no" });
});

test("output is given one chunk after the other, and credit only for what was taken", async () => {
  const { supervisor, next, send } = connect();
  const taken: string[] = [];
  let release = (): void => {};
  const followed = supervisor.followCommand(
    { commandId: "c", stdoutOffset: 0, stderrOffset: 0 },
    async ({ offset, bytes }) => {
      taken.push(`${offset}:${Buffer.from(bytes).toString()}`);
      await new Promise<void>((resolve) => (release = resolve));
    },
  );
  const { requestId } = await next();
  const output = (offset: number, text: string): Uint8Array | null =>
    encodeOutput(
      requestId,
      "stdout",
      offset,
      text.length,
      (bytes) => bytes.set(Buffer.from(text)) ?? text.length,
    );
  send(output(0, "ab"));
  send(output(2, "c"));
  for (const frame of encodeAttachment(requestId, Buffer.from("de"))) send(frame);
  await expect.poll(() => taken).toEqual(["0:ab"]);
  release();
  expect(decodeCredit((await next()).payload)).toBe(2);
  send(encodeJsonFrame(frameKind.answer, requestId, end));
  await expect.poll(() => taken).toEqual(["0:ab", "2:c"]);
  release();
  const result = await followed;
  expect(result).toMatchObject({ status: "exited", stdoutBytes: 5, stderrTail: new Uint8Array(0) });
  expect(Buffer.from(result.stdoutTail).toString()).toBe("de");
});

test("a follower that fails or leaves ends following, and the supervisor is told", async () => {
  const { supervisor, next, send } = connect();
  const leave = new AbortController();
  const input = { commandId: "c", stdoutOffset: 0, stderrOffset: 0 };
  const left = supervisor.followCommand(input, () => undefined, leave.signal);
  const first = await next();
  leave.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(await next()).toMatchObject({ kind: frameKind.cancel, requestId: first.requestId });

  const failed = supervisor.followCommand(input, () => Promise.reject(new Error("full")));
  const second = await next();
  send(encodeOutput(second.requestId, "stdout", 0, 1, () => 1));
  await expect(failed).rejects.toThrow("full");
  expect(await next()).toMatchObject({ kind: frameKind.cancel, requestId: second.requestId });
});

test("when the stream ends, every pending and every later call is told to ask again", async () => {
  const { supervisor, next, hangUp } = connect();
  const pending = [
    supervisor.readFile({ ...target, bytesMax: 1 }),
    supervisor.followCommand({ commandId: "c", stdoutOffset: 0, stderrOffset: 0 }, () => undefined),
  ];
  await next();
  hangUp();
  for (const call of pending) {
    await expect(call).rejects.toMatchObject({ code: "sandbox.engine_unavailable", isRetryable: true });
  }
  await supervisor.closed;
  await expect(supervisor.status()).rejects.toMatchObject({ code: "sandbox.engine_unavailable" });
});

test("a supervisor that does not answer the regular question in time counts as gone", async () => {
  const { supervisor, next, clock } = connect();
  const followed = supervisor.followCommand(
    { commandId: "c", stdoutOffset: 0, stderrOffset: 0 },
    () => undefined,
  );
  await next();
  void clock.advance(60_000);
  await expect(followed).rejects.toMatchObject({ code: "sandbox.engine_unavailable" });
  await supervisor.closed;
});

test.each([
  ["what is no frame", Buffer.alloc(9, 0xff)],
  ["a request", encodeFrame(frameKind.request, 1, new Uint8Array(0))],
  ["an answer that is no JSON", encodeFrame(frameKind.answer, 1, Uint8Array.of(0x7b))],
])("a supervisor that sends %s counts as gone", async (_name, frame) => {
  const { supervisor, next, send } = connect();
  const call = supervisor.status();
  await next();
  send(frame);
  await expect(call).rejects.toMatchObject({ code: "sandbox.engine_unavailable" });
  await supervisor.closed;
});

import { describe, expect, it } from "vitest";
import { createBodyReader } from "./request-body";
import type { BodyFraming } from "./request-head";

/** Feeds a body in pieces of every size from 1 on, and expects the same of each. */
function readInPieces(framing: BodyFraming, text: string) {
  const outcomes = Array.from({ length: text.length }, (_, index) => {
    const reader = createBodyReader(framing);
    let written = "";
    for (let at = 0; at < text.length; at += index + 1) {
      const result = reader.take(Buffer.from(text.slice(at, at + index + 1), "latin1"));
      if (!result.ok) return { ok: false };
      written += result.bytes.toString("latin1");
      if (result.complete) return { ok: true, complete: true, body: decode(framing, written) };
    }
    return { ok: true, complete: false };
  });
  for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  return outcomes[0];
}

const decode = (framing: BodyFraming, written: string): string =>
  framing.kind === "chunked"
    ? written.replace(/[0-9a-f]+\r\n(.*?)\r\n/gs, "$1").replace(/\r\n$/, "")
    : written;

describe("a request body", () => {
  it("with a length ends at that byte; what follows is dropped", () => {
    expect(readInPieces({ kind: "length", bytes: 5 }, "helloGET http://evil.test/ HTTP/1.1")).toEqual({
      ok: true,
      complete: true,
      body: "hello",
    });
  });

  it("in chunks ends at the last chunk; extensions, trailers and what follows are dropped", () => {
    const sent =
      "5;a=b\r\nhello\r\nA\r\n1234567890\r\n0\r\nX-Trailer: 1\r\n\r\nGET http://evil.test/ HTTP/1.1\r\n\r\n";
    expect(readInPieces({ kind: "chunked" }, sent)).toEqual({
      ok: true,
      complete: true,
      body: "hello1234567890",
    });
  });

  it("that stops short is not complete", () => {
    expect(readInPieces({ kind: "chunked" }, "5\r\nhello\r\n")).toEqual({ ok: true, complete: false });
    expect(readInPieces({ kind: "length", bytes: 9 }, "hello")).toEqual({ ok: true, complete: false });
  });

  it("of no length is complete at once", () => {
    expect(createBodyReader({ kind: "none" }).take(Buffer.from("x"))).toMatchObject({
      complete: true,
      bytes: Buffer.alloc(0),
    });
  });

  it.each([
    "5\nhello\r\n",
    "+5\r\nhello\r\n",
    "0x5\r\nhello\r\n",
    "\r\n",
    "5\r\nhelloo\r\n",
    "5 5\r\nhello",
    "ffffffffffffffff\r\n",
  ])("%j breaks the framing", (text) => {
    expect(readInPieces({ kind: "chunked" }, text)).toEqual({ ok: false });
  });

  it("does not wait for ever for the end of a chunk line or a trailer", () => {
    expect(createBodyReader({ kind: "chunked" }).take(Buffer.from(`5;${"a".repeat(5000)}`)).ok).toBe(false);
    expect(
      createBodyReader({ kind: "chunked" }).take(Buffer.from(`0\r\n${"a: b\r\n".repeat(9000)}`)).ok,
    ).toBe(false);
  });
});

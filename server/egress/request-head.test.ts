import { describe, expect, it } from "vitest";
import { headerValues, parseRequestHead } from "./request-head";

const parse = (text: string) => parseRequestHead(Buffer.from(text, "latin1"));

describe("a request head", () => {
  it("is read with its headers in the order sent, and names in lower case", () => {
    const result = parse(
      "POST http://a.example/x HTTP/1.1\r\nHost: a.example\r\nX-A:  1 \r\nx-a: 2\r\nContent-Length: 5\r\n\r\n",
    );
    expect(result).toEqual({
      ok: true,
      head: {
        method: "POST",
        target: "http://a.example/x",
        version: "1.1",
        headers: [
          ["host", "a.example"],
          ["x-a", "1"],
          ["x-a", "2"],
          ["content-length", "5"],
        ],
        body: { kind: "length", bytes: 5 },
      },
    });
    if (result.ok) expect(headerValues(result.head.headers, "x-a")).toEqual(["1", "2"]);
  });

  it("without a length has no body", () => {
    expect(parse("CONNECT a.example:443 HTTP/1.0\r\n\r\n")).toMatchObject({
      ok: true,
      head: { body: { kind: "none" } },
    });
  });
});

/** Each of these is read in different ways by different servers: passed on, it could carry a second, unjudged request. */
describe("a request head that has no single meaning is refused", () => {
  const start = "POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\n";
  it.each([
    [
      "Content-Length and Transfer-Encoding",
      `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ["two lengths", `${start}Content-Length: 4\r\nContent-Length: 4\r\n\r\n`],
    ["a list of lengths", `${start}Content-Length: 4, 4\r\n\r\n`],
    ["a signed length", `${start}Content-Length: +4\r\n\r\n`],
    ["a hexadecimal length", `${start}Content-Length: 0x4\r\n\r\n`],
    ["an empty length", `${start}Content-Length:\r\n\r\n`],
    ["two codings", `${start}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ["another coding", `${start}Transfer-Encoding: identity\r\n\r\n`],
    ["a disguised coding", `${start}Transfer-Encoding: \x0bchunked\r\n\r\n`],
    ["the coding twice", `${start}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ["a chunked body in HTTP/1.0", "POST http://a.example/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["a bare line feed", `${start}X: 1\nY: 2\r\n\r\n`],
    ["a bare carriage return", `${start}X: 1\rY: 2\r\n\r\n`],
    ["a folded line", `${start}X: 1\r\n  2\r\n\r\n`],
    ["space before the colon", `${start}Content-Length : 4\r\n\r\n`],
    ["a header without a colon", `${start}Nonsense\r\n\r\n`],
    ["an empty header name", `${start}: 1\r\n\r\n`],
    ["a zero byte in a value", `${start}X: a\0b\r\n\r\n`],
    ["an empty line in front", "\r\nGET http://a.example/ HTTP/1.1\r\n\r\n"],
    ["two spaces in the request line", "GET  http://a.example/ HTTP/1.1\r\n\r\n"],
    ["a space behind the target", "CONNECT a.example:443  HTTP/1.1\r\n\r\n"],
    ["a tab in the request line", "GET\thttp://a.example/ HTTP/1.1\r\n\r\n"],
    ["a target outside ASCII", "CONNECT ex\xe4mple.test:443 HTTP/1.1\r\n\r\n"],
    ["no version", "GET http://a.example/\r\n\r\n"],
    ["another version", "GET http://a.example/ HTTP/2.0\r\n\r\n"],
    ["a TLS hello", "\x16\x03\x01\x02\x00\x01\r\n\r\n"],
    ["too many headers", `${start}${"x: 1\r\n".repeat(200)}\r\n`],
    ["no end", start],
  ])("%s", (_what, text) => {
    expect(parse(text).ok).toBe(false);
  });
});

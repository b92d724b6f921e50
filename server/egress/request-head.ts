/** One header line as it was sent: the name in lower case, the value without the white space around it. */
export type Header = readonly [name: string, value: string];

/** How the bytes after a request head are counted. */
export type BodyFraming = { kind: "none" } | { kind: "length"; bytes: number } | { kind: "chunked" };

/** The head of a request that has exactly one meaning. */
export interface RequestHead {
  method: string;
  target: string;
  version: "1.0" | "1.1";
  headers: readonly Header[];
  body: BodyFraming;
}

export type RequestHeadResult = { ok: true; head: RequestHead } | { ok: false; detail: string };

const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters, space, tab and bytes above ASCII: no control character that another reader might end a line at. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;
const headersMax = 128;

/**
 * Reads a request head, the bytes up to and including the empty line, more strictly than servers do: what two readers
 * could understand differently is refused, so nothing can be smuggled behind a judged request. Refused are bare CR or
 * LF, folded lines, space before a colon, both or several of Content-Length and Transfer-Encoding, and any coding but
 * `chunked`. Source: RFC 9112, sections 2 to 6 and 11.2.
 */
export function parseRequestHead(bytes: Buffer): RequestHeadResult {
  const lines = splitLines(bytes);
  if (lines === null) return fault("a line does not end in CR LF");
  const [requestLine = "", ...headerLines] = lines;
  const match = /^(\S+) ([\x21-\x7e]+) HTTP\/(1\.[01])$/.exec(requestLine);
  const [, method = "", target = "", version] = match ?? [];
  if (match === null || !tokenPattern.test(method))
    return fault("the request line is not an HTTP/1.1 proxy request");
  const headers = parseHeaderLines(headerLines);
  if (headers === null) return fault("a header line is malformed");
  const body = readFraming(headers);
  if (body === null) return fault("the length of the body is not stated in exactly one way");
  if (body.kind === "chunked" && version === "1.0") return fault("HTTP/1.0 has no chunked bodies");
  return { ok: true, head: { method, target, version: version === "1.0" ? "1.0" : "1.1", headers, body } };
}

/** Every value of a header, in the order sent. */
export function headerValues(headers: readonly Header[], name: string): string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}

/** Reads header lines without their line ends; null when one of them is malformed or there are too many. */
export function parseHeaderLines(lines: readonly string[]): Header[] | null {
  if (lines.length > headersMax) return null;
  const headers: Header[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0));
    const value = line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, "");
    if (!tokenPattern.test(name) || !valuePattern.test(value)) return null;
    headers.push([name.toLowerCase(), value]);
  }
  return headers;
}

/** Splits a head at CR LF and drops the empty line at its end; null when a CR or LF stands alone. */
export function splitLines(bytes: Buffer): string[] | null {
  const text = bytes.toString("latin1");
  if (!text.endsWith("\r\n\r\n")) return null;
  const lines = text.slice(0, -4).split("\r\n");
  return lines.some((line) => /[\r\n]/.test(line)) ? null : lines;
}

function readFraming(headers: readonly Header[]): BodyFraming | null {
  const lengths = headerValues(headers, "content-length");
  const codings = headerValues(headers, "transfer-encoding");
  if (lengths.length + codings.length > 1) return null;
  const [length] = lengths;
  const [coding] = codings;
  if (coding !== undefined) return coding.toLowerCase() === "chunked" ? { kind: "chunked" } : null;
  if (length === undefined) return { kind: "none" };
  return /^[0-9]{1,15}$/.test(length) ? { kind: "length", bytes: Number(length) } : null;
}

function fault(detail: string): RequestHeadResult {
  return { ok: false, detail };
}

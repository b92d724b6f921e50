import type { BodyFraming } from "./request-head";

/** What came of a piece of a request body: bytes for the upstream, framed anew, and whether the body is complete. */
export type BodyPiece = { ok: true; bytes: Buffer; complete: boolean } | { ok: false; detail: string };

/** Takes a request body piece by piece. What follows a complete body is dropped: it was never judged. */
export interface BodyReader {
  take(piece: Buffer): BodyPiece;
}

const chunkLineCharsMax = 1024;
const trailerCharsMax = 8192;

/**
 * Counts a body by its framing and writes it anew, so that the upstream ends it at the very same byte. Trailers and
 * chunk extensions are dropped. Source: RFC 9112, section 7.1.
 */
export function createBodyReader(framing: BodyFraming): BodyReader {
  if (framing.kind === "chunked") return createChunkedReader();
  let remaining = framing.kind === "length" ? framing.bytes : 0;
  return {
    take: (piece) => {
      const bytes = piece.subarray(0, remaining);
      remaining -= bytes.length;
      return { ok: true, bytes, complete: remaining === 0 };
    },
  };
}

type ChunkState =
  { at: "size" | "data-end" | "trailer"; line: string } | { at: "data"; remaining: number } | { at: "end" };

function createChunkedReader(): BodyReader {
  let state: ChunkState = { at: "size", line: "" };
  let trailerChars = 0;

  const endLine = (at: "size" | "data-end" | "trailer", line: string): ChunkState | string => {
    if (at === "data-end") return line === "" ? { at: "size", line: "" } : "a chunk is longer than it says";
    if (at === "trailer") {
      trailerChars += line.length;
      if (trailerChars > trailerCharsMax) return "the trailer is too long";
      return line === "" ? { at: "end" } : { at: "trailer", line: "" };
    }
    const size = /^([0-9a-f]{1,12})[\t ]*(?:;[\t\x20-\x7e]*)?$/i.exec(line);
    if (size === null) return "a chunk has no readable size";
    const bytes = Number.parseInt(size[1] ?? "", 16);
    return bytes === 0 ? { at: "trailer", line: "" } : { at: "data", remaining: bytes };
  };

  return {
    take: (piece) => {
      const out: Buffer[] = [];
      let offset = 0;
      while (offset < piece.length && state.at !== "end") {
        if (state.at === "data") {
          const data = piece.subarray(offset, offset + state.remaining);
          out.push(Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from("\r\n"));
          offset += data.length;
          const remaining: number = state.remaining - data.length;
          state = remaining === 0 ? { at: "data-end", line: "" } : { at: "data", remaining };
          continue;
        }
        const character = String.fromCharCode(piece[offset] ?? 0);
        offset += 1;
        const line: string = state.line + character;
        if (!line.endsWith("\n")) {
          if (line.length > chunkLineCharsMax) return { ok: false, detail: "a chunk line is too long" };
          state = { ...state, line };
          continue;
        }
        if (!line.endsWith("\r\n")) return { ok: false, detail: "a chunk line does not end in CR LF" };
        const next = endLine(state.at, line.slice(0, -2));
        if (typeof next === "string") return { ok: false, detail: next };
        state = next;
      }
      if (state.at === "end") out.push(Buffer.from("0\r\n\r\n"));
      return { ok: true, bytes: Buffer.concat(out), complete: state.at === "end" };
    },
  };
}

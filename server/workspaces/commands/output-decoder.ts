import { withoutSplitEnd, withoutSplitStart } from "../utf8-cut";

/** Text of one stream. `offset` is the byte at which its first character begins, `nextOffset` where to go on. */
export interface DecodedOutput {
  text: string;
  offset: number;
  nextOffset: number;
}

/** Makes text of one stream's pieces. Pieces are pushed as they come; `end` is called once, behind the last. */
export interface OutputDecoder {
  push(chunk: { offset: number; bytes: Uint8Array }): DecodedOutput;
  end(): DecodedOutput;
}

/**
 * Decodes pieces of a stream as one text, wherever they are cut: a character that is split over pieces comes whole with
 * its last one. What was pushed before is not given again, so a piece may be repeated after a reconnect. A stream that
 * really ends inside a character gives one U+FFFD at its end. Behind a gap, and at a start that is not the stream's own,
 * it begins with the first whole character.
 */
export function createOutputDecoder(startOffset = 0): OutputDecoder {
  /** Where the next byte is wanted from. */
  let position = startOffset;
  /** The bytes before it of a character that is not whole yet. */
  let pending: Uint8Array = new Uint8Array(0);
  let isBehindCut = startOffset > 0;

  return {
    push: (chunk) => {
      if (chunk.offset > position) {
        pending = new Uint8Array(0);
        position = chunk.offset;
        isBehindCut = true;
      }
      let bytes = chunk.bytes.subarray(Math.min(chunk.bytes.length, position - chunk.offset));
      if (isBehindCut && bytes.length > 0) {
        const whole = withoutSplitStart(bytes);
        position += bytes.length - whole.length;
        bytes = whole;
        isBehindCut = false;
      }
      const offset = position - pending.length;
      const known = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      const whole = withoutSplitEnd(known);
      pending = known.slice(whole.length);
      position += bytes.length;
      return { text: decode(whole), offset, nextOffset: position };
    },
    end: () => {
      const offset = position - pending.length;
      const text = decode(pending);
      pending = new Uint8Array(0);
      return { text, offset, nextOffset: position };
    },
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

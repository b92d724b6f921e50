import { toStorableText } from "../../platform/storable-text";
import { withoutSplitEnd, withoutSplitStart } from "../utf8-cut";

/** How much of each end of a stream a result shows. */
const endBytesMax = 32 * 1024;

/** One stream of a command in a result. `totalBytes` counts everything that was written, shown or not. */
export interface OutputText {
  text: string;
  totalBytes: number;
  truncated: boolean;
}

/**
 * Gives the first and the last 32 KiB of a stream as text, all of it when that is no more. Bytes that are no UTF-8 become
 * U+FFFD, a character that the stream ends in the middle of exactly one; a cut of ours makes none. The text can be stored.
 * Shape: `kept` are the stream's first bytes, `tail` its last ones or empty; they may overlap. Neither has to be more
 * than 64 KiB.
 */
export function headAndTail(input: { kept: Uint8Array; tail: Uint8Array; totalBytes: number }): OutputText {
  const { totalBytes } = input;
  const whole = totalBytes <= 2 * endBytesMax ? joinEnds(input) : null;
  if (whole !== null) return { text: toText(whole), totalBytes, truncated: false };
  const head = withoutSplitEnd(input.kept.subarray(0, endBytesMax));
  const tail = withoutSplitStart(lastBytes(input, totalBytes - head.length));
  const hiddenBytes = totalBytes - head.length - tail.length;
  const note = `\n[… ${hiddenBytes} of ${totalBytes} bytes are not shown here …]\n`;
  return { text: toText(head) + note + toText(tail), totalBytes, truncated: true };
}

/** The whole stream, or null when what is known of it has a gap. */
function joinEnds(input: { kept: Uint8Array; tail: Uint8Array; totalBytes: number }): Uint8Array | null {
  const { kept, tail, totalBytes } = input;
  if (kept.length >= totalBytes) return kept.subarray(0, totalBytes);
  const missingBytes = totalBytes - kept.length;
  if (tail.length < missingBytes) return null;
  return Buffer.concat([kept, tail.subarray(tail.length - missingBytes)]);
}

/** At most 32 KiB from the stream's end, and none of its first `totalBytes - behindHeadBytes`. */
function lastBytes(
  input: { kept: Uint8Array; tail: Uint8Array; totalBytes: number },
  behindHeadBytes: number,
): Uint8Array {
  const { kept, tail, totalBytes } = input;
  const wanted = Math.min(endBytesMax, behindHeadBytes);
  if (tail.length >= wanted) return tail.subarray(tail.length - wanted);
  const fromKept = kept.length + tail.length >= totalBytes ? totalBytes - tail.length : 0;
  if (fromKept === 0) return tail;
  return Buffer.concat([kept.subarray(Math.max(0, fromKept - (wanted - tail.length)), fromKept), tail]);
}

function toText(bytes: Uint8Array): string {
  return toStorableText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}

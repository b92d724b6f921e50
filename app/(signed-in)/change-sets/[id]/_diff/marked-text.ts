/** The same characters that the server calls `invisible_or_bidi`, and a return in the middle of a line. */
const unseen =
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f\u0080-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\r(?!\n|$)/gu;

/** Finds what `markUnseen` has put into a text. */
export const markPattern = /⟦U\+[0-9A-F]{4,5}⟧/g;

/**
 * Writes characters that cannot be seen, or that turn the order of text, as their code in brackets. What is compared and what
 * is shown then agree: no text can look like another one.
 */
export function markUnseen(text: string): { text: string; marks: number } {
  let marks = 0;
  const marked = text.replace(unseen, (character) => {
    marks += 1;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `⟦U+${code}⟧`;
  });
  return { text: marks === 0 ? text : marked, marks };
}

/** Cuts every line that is longer than `charactersMax` and says at its end how much is missing. */
export function cutLongLines(text: string, charactersMax: number): { text: string; cutLines: number } {
  const parts: string[] = [];
  let cutLines = 0;
  let kept = 0;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    if (end - start > charactersMax) {
      const missing = end - start - charactersMax;
      parts.push(
        text.slice(kept, start + charactersMax),
        ` ⟪${missing.toLocaleString("en-US")} more characters⟫`,
      );
      kept = end;
      cutLines += 1;
    }
    start = end + 1;
  }
  if (cutLines === 0) return { text, cutLines };
  parts.push(text.slice(kept));
  return { text: parts.join(""), cutLines };
}

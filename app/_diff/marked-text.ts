/**
 * Controls, formatting, fillers, tags, selectors: whatever draws nothing or turns what stands around it, and a return in the
 * middle of a line. Signs of formatting that are drawn, and the selector that asks for an emoji, are not among them.
 */
const unseen =
  /(?![\t\n\f\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\r(?!\n|$)/gu;

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

/**
 * Characters that draw nothing, or that change how those around them are drawn: controls, formatting and bidirectional
 * marks, fillers, tags and variation selectors. The selector that asks for an emoji (U+FE0F) is not among them, nor are
 * Arabic signs that are formatting by class and still drawn.
 */
const hidden =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

export type TextPart = { kind: "text"; text: string } | { kind: "hidden"; codePoint: string };

/** The same in one part of a path, where a tab, and a space at either end, would be overlooked too. */
const hiddenInName = new RegExp(`${hidden.source}|^ +| +$|(?<=/) +| +(?=/)`, "gu");

export type TextKind = "line" | "lines" | "name";

/**
 * Splits a text into what can be shown as it is and what has to be named, such as `U+202E`. Tabs stay but in names; line
 * ends stay where several lines are shown.
 */
export function splitHiddenCharacters(text: string, kind: TextKind): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(kind === "name" ? hiddenInName : hidden)) {
    const [character] = match;
    if (isKept(character, text[match.index + 1], kind)) continue;
    if (match.index > from) parts.push({ kind: "text", text: text.slice(from, match.index) });
    // Of several spaces in a row each is named.
    for (const each of character) parts.push({ kind: "hidden", codePoint: nameOf(each) });
    from = match.index + character.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** The same as one text, for places where nothing can be drawn: tooltips and labels. */
export function nameHiddenCharacters(text: string, kind: TextKind): string {
  return splitHiddenCharacters(text, kind)
    .map((part) => (part.kind === "text" ? part.text : `[${part.codePoint}]`))
    .join("");
}

function isKept(character: string, next: string | undefined, kind: TextKind): boolean {
  if (character === "\t") return kind !== "name";
  if (kind !== "lines") return false;
  return character === "\n" || (character === "\r" && next === "\n");
}

function nameOf(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

const commandCharsMax = 16_384;
const operatorPattern = /&&|\|\||>>|<<|\$\(|\$\{|[$"'\\;&|<>(){}[\]*?~!`]/u;
/** Control, format and line-separating characters, every space but the plain one, and halves of surrogate pairs. */
const unseenPattern = /[\p{Cc}\p{Cf}\p{Cs}]|(?! )\p{Z}/u;
const refusedPattern = new RegExp(`${operatorPattern.source}|${unseenPattern.source}`, "u");

const unseenNames: Readonly<Record<string, string>> = {
  "\n": "a line feed",
  "\r": "a carriage return",
  "\t": "a tab",
  "\0": "a NUL",
  "\u001b": "an escape character",
  "\u00a0": "a no-break space",
};

export type WordsResult =
  | { status: "words"; words: readonly string[] }
  | { status: "rejected"; reason: "empty" | "too_long" | "character"; message: string };

/**
 * Splits a command at spaces into the words that will run; there is no quoting, so a word holds no space. A character
 * that a shell would act on, or that nobody can see, rejects the whole command and is named with its place.
 */
export function splitWords(text: string): WordsResult {
  if (text.length > commandCharsMax) {
    return {
      status: "rejected",
      reason: "too_long",
      message: `A command has at most ${commandCharsMax} characters.`,
    };
  }
  const found = refusedPattern.exec(text);
  if (found !== null) {
    const place = [...text.slice(0, found.index)].length + 1;
    return { status: "rejected", reason: "character", message: describeCharacter(found[0], place) };
  }
  const words = text.split(" ").filter((word) => word !== "");
  if (words.length === 0) return { status: "rejected", reason: "empty", message: "The command is empty." };
  return { status: "words", words };
}

/** Whether one word of a command can be written so. */
export function isTypable(word: string): boolean {
  return word !== "" && word.length <= commandCharsMax && !word.includes(" ") && !refusedPattern.test(word);
}

function describeCharacter(found: string, place: number): string {
  const name = operatorPattern.test(found)
    ? `\`${found}\``
    : (unseenNames[found] ?? `the character ${codePoint(found)}`);
  const advice =
    "No shell reads a command: it is split at spaces, and quotes, escapes, wildcards and operators do not work." +
    " Send one command per call.";
  const forPaths = /^[[\](){}*?"'~!$\\]/.test(found)
    ? " For a path that holds such a character use list_files and read_file."
    : "";
  return `Not run: ${name} at character ${place}. ${advice}${forPaths}`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

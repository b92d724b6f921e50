import type { AddedLine } from "./added-lines";
import { findSecret } from "./secret-rules";
import type { Finding, HighlightReason } from "./types";

/** What the rules know of the file whose lines they read. */
export interface LineContext {
  isTest: boolean;
  /** Of machines' making, full of hashes: no secret is looked for. */
  isMachineMade: boolean;
}

interface LineRule {
  reason: HighlightReason;
  find: (text: string, context: LineContext) => string | null;
}

const skipped =
  /\b(?:describe|it|test|context|suite)(?:\.[a-z]{1,20}){0,2}\.(?:skip|todo|skipIf|fixme|failing)\b|\b(?:xit|xtest|xdescribe|xcontext)\s*\(|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|#\[ignore\b|\bt\.Skip(?:f|Now)?\(/;
const focused =
  /\b(?:describe|it|test|context|suite)(?:\.[a-z]{1,20}){0,2}\.only\b|\b(?:fit|fdescribe|fcontext)\s*\(/;
const invisible =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\uffa0\u{e0000}-\u{e007f}]/u;

const rules: readonly LineRule[] = [
  {
    reason: "secret",
    find: (text, { isMachineMade }) => {
      const secret = isMachineMade ? null : findSecret(text);
      return secret === null ? null : `Looks like a ${secret.kind}: ${secret.masked}`;
    },
  },
  {
    reason: "invisible_or_bidi",
    find: (text) => {
      const found = invisible.exec(text)?.[0].codePointAt(0);
      return found === undefined
        ? null
        : `Holds U+${found.toString(16).toUpperCase().padStart(4, "0")}, which cannot be seen or turns the order of text.`;
    },
  },
  {
    reason: "conflict_markers",
    find: (text) =>
      /^(?:<{7}|>{7})(?: |$)/.test(text) ? "The mark of a merge that was not finished." : null,
  },
  {
    reason: "skipped_test",
    find: (text, { isTest }) => (isTest && skipped.test(text) ? "A test that is not run." : null),
  },
  {
    reason: "focused_test",
    find: (text, { isTest }) =>
      isTest && focused.test(text) ? "Only this test is run; the others beside it are not." : null,
  },
];

/** What added lines show: one finding a reason, at its first line, with the count of the others. */
export function findingsOfLines(lines: readonly AddedLine[], context: LineContext): Finding[] {
  return rules.flatMap(({ reason, find }) => {
    let first: Finding | null = null;
    let others = 0;
    for (const { line, text } of lines) {
      const detail = find(text, context);
      if (detail === null) continue;
      if (first === null) first = { reason, line, detail };
      else others += 1;
    }
    if (first === null) return [];
    return [others === 0 ? first : { ...first, detail: `${first.detail} (and ${others} more here)` }];
  });
}

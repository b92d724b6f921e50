const linesMax = 20_000;
const comparedCharsMax = 300;
const shownCharsMax = 200;
const shownLinesMax = 3;
const likenessMin = 0.5;

export interface NearLine {
  line: number;
  text: string;
}

/**
 * Gives up to three lines that are most like the first line of a text that was not found, best first, with their
 * numbers. A line that differs in white space alone is the best. Looks at the first 20,000 lines.
 */
export function nearestLines(text: string, wanted: string): NearLine[] {
  const sought = wanted
    .split(/\r?\n/)
    .find((line) => line.trim() !== "")
    ?.trim()
    .slice(0, comparedCharsMax);
  if (sought === undefined) return [];
  const soughtPairs = countPairs(sought);
  const found: (NearLine & { likeness: number })[] = [];
  let start = 0;
  for (let line = 1; line <= linesMax && start < text.length; line++) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const shown = text.slice(start, Math.min(end, start + shownCharsMax)).replace(/\r$/, "");
    const likeness = compare(
      sought,
      soughtPairs,
      text.slice(start, Math.min(end, start + comparedCharsMax)).trim(),
    );
    if (likeness >= likenessMin) keepBest(found, { line, text: shown, likeness });
    start = end + 1;
  }
  return found.map(({ line, text: shown }) => ({ line, text: shown }));
}

function keepBest(
  found: (NearLine & { likeness: number })[],
  candidate: NearLine & { likeness: number },
): void {
  const place = found.findIndex((other) => other.likeness < candidate.likeness);
  if (place === -1) found.push(candidate);
  else found.splice(place, 0, candidate);
  found.length = Math.min(found.length, shownLinesMax);
}

/** 1 for the same, 0 for nothing in common: shared pairs of neighbouring characters (Dice). */
function compare(sought: string, soughtPairs: ReadonlyMap<number, number>, line: string): number {
  if (line === sought) return 1;
  const pairCount = sought.length - 1 + line.length - 1;
  // Even if every pair of the shorter were shared the two would not be alike.
  if (2 * (Math.min(sought.length, line.length) - 1) < likenessMin * pairCount || pairCount <= 0) return 0;
  const left = new Map(soughtPairs);
  let shared = 0;
  for (let index = 1; index < line.length; index++) {
    const pair = pairAt(line, index);
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    left.set(pair, count - 1);
    shared++;
  }
  return (2 * shared) / pairCount;
}

function countPairs(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  for (let index = 1; index < text.length; index++) {
    const pair = pairAt(text, index);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function pairAt(text: string, index: number): number {
  return text.charCodeAt(index - 1) * 0x10000 + text.charCodeAt(index);
}

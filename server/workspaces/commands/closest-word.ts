const wordCharsMax = 64;
const candidatesMax = 1_000;

/**
 * The candidate that differs least from the word, or null when none is near: at most a third of its letters, rounded up
 * to one. Of two equally near the one of the same length.
 */
export function closestWord(word: string, candidates: readonly string[]): string | null {
  if (word.length > wordCharsMax) return null;
  const editsMax = Math.max(1, Math.floor(word.length / 3));
  let closest: string | null = null;
  let least = Infinity;
  for (const candidate of candidates.slice(0, candidatesMax)) {
    const lengthGap = Math.abs(candidate.length - word.length);
    if (lengthGap > editsMax) continue;
    const edits = countEdits(word, candidate);
    const distance = edits + lengthGap / (wordCharsMax * 2);
    if (edits > editsMax || distance >= least) continue;
    closest = candidate;
    least = distance;
  }
  return closest;
}

/** Letters inserted, left out, exchanged, or swapped with their neighbour, on the way from one word to the other. */
function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= from.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const edits = Math.min(
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      );
      rows[i]?.push(edits);
    }
  }
  return at(from.length, to.length);
}

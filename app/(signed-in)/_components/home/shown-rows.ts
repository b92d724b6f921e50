export interface Shown<Row> {
  row: Row;
  /** It left the group; it stays where it is until the list is taken anew. */
  isGone: boolean;
}

/**
 * What to show when a list was asked for again: rows change in place, none moves or vanishes under the eye, and those
 * that came since wait to be let in.
 */
export function mergeShown<Row extends { id: string }>(
  accepted: readonly Row[],
  fresh: readonly Row[],
): { rows: Shown<Row>[]; newCount: number } {
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const acceptedIds = new Set(accepted.map(({ id }) => id));
  return {
    rows: accepted.map((row) => {
      const now = freshById.get(row.id);
      return { row: now ?? row, isGone: now === undefined };
    }),
    newCount: fresh.filter(({ id }) => !acceptedIds.has(id)).length,
  };
}

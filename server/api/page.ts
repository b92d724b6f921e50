import { z } from "zod";

const limitMax = 200;

/** How many items of a list a page holds at most. */
export const limitInput = z.int().min(1).max(limitMax).default(50);

/** What every list takes: where the page before ended, and how many at most. */
export const pageInput = { cursor: z.uuid().optional(), limit: limitInput };

/**
 * Reads one page with one row more than asked for, which tells whether another page follows.
 * Shape: `{ items, nextCursor }`, the cursor being the id of the last item.
 */
export async function readPage<Item extends { id: string }>(
  limit: number,
  read: (limit: number) => Promise<Item[]>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const rows = await read(limit + 1);
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** Reads page after page to the end, for a list that is small by nature. */
export async function readAll<Item extends { id: string }>(
  read: (page: { after: string | null; limit: number }) => Promise<Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | null = null; ;) {
    const page = await read({ after, limit: limitMax });
    items.push(...page);
    if (page.length < limitMax) return items;
    after = page.at(-1)?.id ?? null;
  }
}

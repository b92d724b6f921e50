import { z } from "zod";
import { DomainError } from "../platform/errors";

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

/** What a list takes that is read whole: without a limit, one page holds all of it. */
export const wholePageInput = { cursor: z.uuid().optional(), limit: z.int().min(1).max(limitMax).optional() };

/** Cuts one page out of a list that was read whole. Errors: `input.invalid` for a cursor that is none of its ids. */
export function cutPage<Item extends { id: string }>(
  all: readonly Item[],
  { cursor, limit = all.length }: { cursor?: string | undefined; limit?: number | undefined },
): { items: Item[]; nextCursor: string | null } {
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    throw new DomainError("input.invalid", "The cursor is none of this list.", {
      faults: [{ field: "cursor", message: "is none of this list" }],
    });
  }
  const items = all.slice(start, start + limit);
  return { items, nextCursor: start + limit < all.length ? (items.at(-1)?.id ?? null) : null };
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

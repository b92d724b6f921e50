interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** Every item of a list that comes page after page. */
export async function readAll<Item>(
  readPage: (place: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Page<Item> = await readPage({ limit: 200, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}

import { describe, expect, it } from "vitest";
import { cutPage } from "./page";

const all = ["a", "b", "c", "d", "e"].map((id) => ({ id }));

describe("a list that was read whole", () => {
  it("is one page without a limit", () => {
    expect(cutPage(all, {})).toEqual({ items: all, nextCursor: null });
    expect(cutPage([], {})).toEqual({ items: [], nextCursor: null });
    expect(cutPage(all, { cursor: "d" })).toEqual({ items: [{ id: "e" }], nextCursor: null });
  });

  it.each([1, 2, 3, 5, 6])("is given in pages of %i, each item once and in order", (limit) => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = cutPage(all, { cursor: cursor ?? undefined, limit });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("does not begin anew at a cursor that it does not know", () => {
    expect(() => cutPage(all, { cursor: "x", limit: 1 })).toThrow(
      expect.objectContaining({ code: "input.invalid" }) as Error,
    );
  });
});

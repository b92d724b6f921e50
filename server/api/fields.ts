import { z } from "zod";

/** An id that a caller sends: any case is read, one is used. */
export const id = z.uuid().toLowerCase();

/** The input of every `<router>.get`. */
export const idInput = z.strictObject({ id });

/** ISO 8601 in UTC. */
export const time = z.iso.datetime();

export const count = z.int().min(0);

export const commit = z.string().regex(/^[0-9a-f]{40}$/, "is not a commit");

/** One line that people read, such as a title. */
export const title = z.string().trim().min(1).max(200);

/** A text of any lines. */
export const prose = z.string().max(20_000);

/** Who acted: a person, or a token under its label. */
export const actorView = z.object({ id: z.uuid(), kind: z.enum(["person", "token"]), name: z.string() });

/** What every list answers. */
export function pageOf<Item extends z.ZodType>(
  item: Item,
): z.ZodObject<{ items: z.ZodArray<Item>; nextCursor: z.ZodNullable<z.ZodUUID> }> {
  return z.object({ items: z.array(item), nextCursor: z.uuid().nullable() });
}

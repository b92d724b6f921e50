import { tracked, type TrackedEnvelope } from "@trpc/server";
import { z } from "zod";

/**
 * The output of a subscription whose items carry an id, by which a reader that was cut off goes on. Every item is checked
 * as any other result. `item` is its schema, for whoever describes the API.
 */
export type StreamSchema<Item extends z.ZodType> = z.ZodType<
  AsyncGenerator<TrackedEnvelope<z.output<Item>>, void>,
  AsyncGenerator<TrackedEnvelope<z.input<Item>>, void>
> & { item: Item };

export function streamOf<Item extends z.ZodType>(item: Item): StreamSchema<Item> {
  const schema = z
    .custom<AsyncGenerator<TrackedEnvelope<z.input<Item>>, void>>(
      (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
    )
    .transform(async function* (stream): AsyncGenerator<TrackedEnvelope<z.output<Item>>, void> {
      for await (const [id, data] of stream) yield tracked(id, item.parse(data));
    });
  return Object.assign(schema, { item });
}

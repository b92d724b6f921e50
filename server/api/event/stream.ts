import { tracked } from "@trpc/server";
import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { id } from "../fields";
import { streamOf } from "../stream-of";
import { procedure } from "../trpc";
import { eventView, toEventView, typesInput } from "./schema";

/** Events as they are committed: from now on, or without a gap from the one after `lastEventId`. */
export const stream = procedure("all")
  .input(z.strictObject({ types: typesInput, lastEventId: id.optional() }).prefault({}))
  .output(streamOf(eventView))
  .subscription(async function* ({ ctx, input, signal = new AbortController().signal }) {
    const events = ctx.deps.events.stream({
      types: input.types ?? null,
      ...scopeOf(ctx.caller),
      lastEventId: input.lastEventId ?? null,
      signal,
    });
    for await (const event of events) yield tracked(event.id, toEventView(event));
  });

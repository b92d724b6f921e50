import { tracked } from "@trpc/server";
import { z } from "zod";
import { id } from "../fields";
import { streamOf } from "../stream-of";
import { procedure } from "../trpc";
import { runEventView } from "./schema";

const streamInput = z.strictObject({
  runId: id,
  /** The number of the last event that was received. */
  lastEventId: z
    .string()
    .regex(/^\d{1,9}$/, "is not the id of an item of this stream")
    .optional(),
});

/** Every event of a Run from the first, or after `lastEventId`, live and without a gap. Ends when the Run has ended. */
export const stream = procedure("all")
  .input(streamInput)
  .output(streamOf(runEventView))
  .subscription(async function* ({ ctx, input, signal = new AbortController().signal }) {
    const found = ctx.deps.workspaces.streamEvents(ctx.caller, {
      runId: input.runId,
      lastSeq: Number(input.lastEventId ?? 0),
      signal,
    });
    for await (const event of found) yield tracked(String(event.seq), event);
  });

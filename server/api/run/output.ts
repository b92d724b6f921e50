import { z } from "zod";
import { count, id } from "../fields";
import { procedure } from "../trpc";

const outputInput = z.strictObject({
  runId: id,
  commandId: id,
  stream: z.enum(["stdout", "stderr"]),
  offset: z.int().min(0).max(2_147_483_647).default(0),
  limit: z
    .int()
    .min(1)
    .max(1024 * 1024)
    .default(64 * 1024),
});

/** A piece of what a command wrote, in bytes from `offset`. `complete` when nothing follows it any more. */
export const output = procedure("all")
  .input(outputInput)
  .output(z.object({ base64: z.base64(), offset: count, totalBytes: count, complete: z.boolean() }))
  .query(({ ctx, input }) => ctx.deps.workspaces.readOutput(ctx.caller, input));

import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { procedure } from "../trpc";
import { diffInput } from "./schema";

const patchesInput = z.strictObject({
  ...diffInput,
  /** `path` of rows of `changeSet.files`. */
  paths: z.array(z.string().min(1).max(16_384)).min(1).max(50),
  context: z.int().min(0).max(1_000_000).default(3),
});

const patchOfPath = z.object({
  path: z.string(),
  patch: z.string(),
  encoding: z.enum(["utf8", "base64"]),
  truncated: z.boolean(),
});

/** The patches of several files, in the order asked for. What passes 10 MiB in all is empty and `truncated`: ask again. */
export const patches = procedure("all")
  .input(patchesInput)
  .output(z.object({ items: z.array(patchOfPath) }))
  .query(async ({ ctx, input }) => ({
    items: await ctx.deps.changeSets.patches(input, scopeOf(ctx.caller)),
  }));

import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { procedure } from "../trpc";
import { diffInput } from "./schema";

const patchInput = z.strictObject({
  ...diffInput,
  /** The `path` of a row of `changeSet.files`. */
  path: z.string().min(1).max(16_384),
  context: z.int().min(0).max(1_000_000).default(3),
});

/** The patch of one file as git prints it: as text when it is UTF-8, else base64. */
export const patch = procedure("all")
  .input(patchInput)
  .output(z.object({ patch: z.string(), encoding: z.enum(["utf8", "base64"]), truncated: z.boolean() }))
  .query(({ ctx, input }) => ctx.deps.changeSets.patch(input, scopeOf(ctx.caller)));

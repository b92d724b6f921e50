import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { count } from "../fields";
import { procedure } from "../trpc";
import { diffInput } from "./schema";

const bytesMax = 5 * 1024 * 1024;

const { id, against } = diffInput;
const contentInput = z.strictObject({
  id,
  against,
  path: z.string().min(1).max(16_384),
  side: z.enum(["old", "new"]),
});

/** One side of a file that differs. Above 5 MiB it is empty and `truncated`; `/api/raw` downloads it then. */
export const content = procedure("all")
  .input(contentInput)
  .output(z.object({ base64: z.string(), sizeBytes: count, truncated: z.boolean() }))
  .query(({ ctx, input }) => ctx.deps.changeSets.content({ ...input, bytesMax }, scopeOf(ctx.caller)));

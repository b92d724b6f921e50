import { z } from "zod";
import { procedure } from "../trpc";
import { settingView } from "./schema";

/** Every setting that is no secret, and where its value comes from. One page holds all. */
export const list = procedure("admin")
  .input(z.strictObject({}).prefault({}))
  .output(z.object({ items: z.array(settingView), nextCursor: z.null() }))
  .query(async ({ ctx }) => ({ items: await ctx.deps.adminSettings.list(), nextCursor: null }));

import { z } from "zod";
import { count, time } from "../fields";
import { procedure } from "../trpc";
import { sandboxView, toSandboxViews } from "./schema";

const sandboxList = z.object({
  asOf: time,
  /** `SANDBOX_MAX`. */
  liveMax: count,
  /** Containers that were started ahead of any caller. */
  warmCount: count,
  /** Starting, live and removing ones, oldest first: never more than `liveMax`, so in one page. */
  items: z.array(sandboxView),
  nextCursor: z.null(),
  /** The last ones that went away, newest first. */
  gone: z.array(sandboxView),
});

/** What sandboxd observes of every Sandbox. */
export const list = procedure("reviewer")
  .input(z.strictObject({}).prefault({}))
  .output(sandboxList)
  .query(async ({ ctx }) => {
    const { asOf, liveMax, warmCount, live, gone } = await ctx.deps.sandboxes.list();
    const views = await toSandboxViews(ctx.deps, [...live, ...gone], new Date(asOf));
    return {
      asOf,
      liveMax,
      warmCount,
      items: views.slice(0, live.length),
      nextCursor: null,
      gone: views.slice(live.length),
    };
  });

import { z } from "zod";
import { id } from "../fields";
import { procedure } from "../trpc";
import { threadState, threadView, toThreadView } from "./schema";

/** Closes a thread, or opens it again. Only people do: an agent's answer is its next version. */
export const resolve = procedure("reviewer")
  .input(z.strictObject({ threadId: id, state: threadState }))
  .output(threadView)
  .mutation(async ({ ctx, input }) =>
    toThreadView(await ctx.deps.reviewing.comments.setState({ ...input, actor: ctx.caller.actor })),
  );

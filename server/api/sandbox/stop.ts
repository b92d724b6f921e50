import { procedure } from "../trpc";
import { getSandbox, sandboxIdInput, sandboxView, toSandboxView } from "./schema";

/**
 * Removes a Sandbox with its disk and ends its commands as interrupted. Its Runs fall asleep and lose nothing that was
 * acknowledged: the next call on one wakes a new Sandbox.
 */
export const stop = procedure("admin")
  .input(sandboxIdInput)
  .output(sandboxView)
  .mutation(async ({ ctx, input }) => {
    const { sandboxId } = await getSandbox(ctx.deps, input.id);
    await ctx.deps.sandboxes.remove({ sandboxId });
    return toSandboxView(ctx.deps, await getSandbox(ctx.deps, sandboxId));
  });

import { procedure } from "../trpc";
import { getSandbox, sandboxIdInput, sandboxView, toSandboxView } from "./schema";

/** The Sandbox of a Project as it is now, or the last that was known of it. */
export const get = procedure("reviewer")
  .input(sandboxIdInput)
  .output(sandboxView)
  .query(async ({ ctx, input }) => {
    const sandbox = await getSandbox(ctx.deps, input.id);
    return toSandboxView(ctx.deps, sandbox);
  });

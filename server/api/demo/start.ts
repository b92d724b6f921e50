import { z } from "zod";
import { procedure } from "../trpc";

/**
 * Makes a Project from a sample and lets an agent without a model mend it, in the background. While one is under way the
 * answer names that one.
 */
export const start = procedure("admin")
  .input(z.strictObject({}).prefault({}))
  .output(z.object({ projectId: z.uuid(), changeId: z.uuid(), taskId: z.uuid() }))
  .mutation(({ ctx }) => ctx.deps.demo.start(ctx.caller.actor));

import { z } from "zod";
import { secondsMax } from "../../meter/rules";
import { count } from "../fields";
import { procedure } from "../trpc";
import { usageView } from "./schema";

const setCapInput = z.strictObject({
  /** Null gives the cap back to the environment. */
  seconds: count.max(secondsMax).nullable(),
  /** The cap in force that the caller saw. */
  expectedSeconds: count.max(secondsMax),
});

/** Sets the monthly cap. What is reserved stays; new reservations count with the new cap. Errors: `conflict.stale`. */
export const setCap = procedure("admin")
  .input(setCapInput)
  .output(usageView)
  .mutation(({ ctx, input }) => ctx.deps.meter.setCap({ ...input, actor: ctx.caller.actor }));

import { publicProcedure } from "../trpc";
import { healthReport } from "./health";

/** Says of each part whether it works and, if not, what an operator can do. Public, so it names no secret. */
export const get = publicProcedure()
  .output(healthReport)
  .query(({ ctx }) => ctx.deps.health.report());

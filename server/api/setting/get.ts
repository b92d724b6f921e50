import { z } from "zod";
import { DomainError } from "../../platform/errors";
import { procedure } from "../trpc";
import { settingView } from "./schema";

/** One setting by the name of its variable. */
export const get = procedure("admin")
  .input(z.strictObject({ name: z.string().max(100) }))
  .output(settingView)
  .query(async ({ ctx, input }) => {
    const setting = (await ctx.deps.adminSettings.list()).find(({ name }) => name === input.name);
    if (setting === undefined) throw new DomainError("setting.not_found", "There is no such setting.");
    return setting;
  });

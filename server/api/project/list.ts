import { z } from "zod";
import { scopeOf } from "../../access/scope";
import { pageOf } from "../fields";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { projectView, toProjectView } from "./schema";

/** The Projects that the caller may see, oldest first. */
export const list = procedure("all")
  .input(z.strictObject(pageInput).prefault({}))
  .output(pageOf(projectView))
  .query(async ({ ctx, input }) => {
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.projects.listProjects(scopeOf(ctx.caller), { after: input.cursor ?? null, limit }),
    );
    return { items: await Promise.all(items.map((project) => toProjectView(ctx.deps, project))), nextCursor };
  });

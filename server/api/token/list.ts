import { z } from "zod";
import { everything } from "../../access/scope";
import { pageOf } from "../fields";
import { orNull } from "../or-null";
import { pageInput, readPage } from "../page";
import { procedure } from "../trpc";
import { tokenView, toTokenView } from "./schema";

const listInput = z.strictObject({
  ...pageInput,
  /** True for those that were revoked or expired, false for those that can be used; without it all. */
  hasEnded: z.boolean().optional(),
});

/** Every token without its secret, oldest first, the ended ones too. */
export const list = procedure("admin")
  .input(listInput.prefault({}))
  .output(pageOf(tokenView.extend({ projectName: z.string().nullable() })))
  .query(async ({ ctx, input }) => {
    const { hasEnded = null, cursor = null } = input;
    const { items, nextCursor } = await readPage(input.limit, (limit) =>
      ctx.deps.access.listTokens({ hasEnded, after: cursor, limit }),
    );
    const projectIds = [...new Set(items.flatMap(({ projectId }) => projectId ?? []))];
    const projects = await Promise.all(
      projectIds.map((id) => orNull(ctx.deps.projects.getProject(id, everything))),
    );
    const names = new Map(projects.flatMap((project) => (project ? [[project.id, project.name]] : [])));
    return {
      items: items.map((token) => ({
        ...toTokenView(token),
        projectName: names.get(token.projectId ?? "") ?? null,
      })),
      nextCursor,
    };
  });

import { procedure } from "../trpc";
import { changeView, hostInput } from "./schema";

/** Takes a host off the allowlist and ends what is open to it. Those of `EGRESS_ALLOWLIST` are changed there. */
export const remove = procedure("admin")
  .input(hostInput)
  .output(changeView)
  .mutation(({ ctx, input }) => ctx.deps.allowlist.remove({ ...input, actor: ctx.caller.actor }));

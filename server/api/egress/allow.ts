import { procedure } from "../trpc";
import { changeView, hostInput } from "./schema";

/** Lets every Sandbox reach a host, or with `*.name` every host below a name, by https:// and http://. */
export const allow = procedure("admin")
  .input(hostInput)
  .output(changeView)
  .mutation(({ ctx, input }) => ctx.deps.allowlist.allow({ ...input, actor: ctx.caller.actor }));

import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

/** What was observed of every Sandbox at one look. */
export type SandboxList = inferRouterOutputs<AppRouter>["sandbox"]["list"];

export type SandboxView = SandboxList["items"][number];

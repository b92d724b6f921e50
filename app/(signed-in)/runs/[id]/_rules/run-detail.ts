import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

/** A Run as its page shows it. */
export type RunDetail = inferRouterOutputs<AppRouter>["run"]["get"];

import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

/** A Project as its page shows it. */
export type ProjectDetail = inferRouterOutputs<AppRouter>["project"]["get"];

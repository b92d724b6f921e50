import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

/** A Change as its page shows it. */
export type ChangeDetail = inferRouterOutputs<AppRouter>["change"]["get"];

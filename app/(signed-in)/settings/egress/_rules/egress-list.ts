import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

/** What sandboxes may reach, and what they asked for in vain. */
export type EgressList = inferRouterOutputs<AppRouter>["egress"]["list"];

export type Entry = EgressList["entries"][number];

export type Refusal = EgressList["refused"][number];

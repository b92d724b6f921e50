import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

export type ChangeSetView = Outputs["changeSet"]["get"];
export type Thread = Outputs["comment"]["list"]["items"][number];
export type Anchor = Thread["anchor"];
export type CommentKind = Thread["kind"];
export type ThreadState = Thread["state"];
export type Placement = Thread["placement"];
export type SavedDraft = Outputs["draft"]["list"]["items"][number];
export type DraftTarget = Inputs["draft"]["save"]["target"];
export type Verdict = Inputs["changeSet"]["review"]["verdict"];
export type HistoryEntry = Outputs["changeSet"]["history"]["items"][number];
export type Mergeability = Outputs["changeSet"]["mergeability"];

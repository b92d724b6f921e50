import {
  Archive,
  Ban,
  Check,
  CircleDashed,
  CircleDot,
  CircleSlash,
  CircleX,
  Download,
  GitMerge,
  GitPullRequestArrow,
  GitPullRequestClosed,
  LoaderCircle,
  type LucideIcon,
  MessageSquareDiff,
  Moon,
  Undo2,
} from "lucide-react";
import type { ChangeSetState } from "@/server/changesets/types";
import type { ProjectState } from "@/server/projects/types";
import type { RunState } from "@/server/workspaces/runs/types";
import { Badge, type Tone } from "./badge";

interface Look {
  word: string;
  tone: Tone;
  icon: LucideIcon;
}

const runLooks: Record<RunState, Look> = {
  opening: { word: "Opening", tone: "accent", icon: LoaderCircle },
  open: { word: "Open", tone: "accent", icon: CircleDot },
  asleep: { word: "Asleep", tone: "neutral", icon: Moon },
  completing: { word: "Completing", tone: "accent", icon: LoaderCircle },
  proposed: { word: "Proposed", tone: "good", icon: GitPullRequestArrow },
  no_changes: { word: "No changes", tone: "neutral", icon: CircleSlash },
  failed: { word: "Failed", tone: "bad", icon: CircleX },
  closed: { word: "Closed", tone: "neutral", icon: CircleDashed },
};

const changeSetLooks: Record<ChangeSetState, Look> = {
  proposed: { word: "Proposed", tone: "accent", icon: GitPullRequestArrow },
  changes_requested: { word: "Changes requested", tone: "warn", icon: MessageSquareDiff },
  rejected: { word: "Rejected", tone: "bad", icon: GitPullRequestClosed },
  approved: { word: "Approved", tone: "good", icon: Check },
  mergeable: { word: "Mergeable", tone: "good", icon: Check },
  merged: { word: "Merged", tone: "good", icon: GitMerge },
  merge_failed: { word: "Merge failed", tone: "bad", icon: CircleX },
  withdrawn: { word: "Withdrawn", tone: "neutral", icon: Undo2 },
  superseded: { word: "Superseded", tone: "neutral", icon: CircleDashed },
  not_chosen: { word: "Not chosen", tone: "neutral", icon: Ban },
};

const projectLooks: Record<ProjectState, Look> = {
  importing: { word: "Importing", tone: "accent", icon: Download },
  ready: { word: "Ready", tone: "good", icon: Check },
  failed: { word: "Failed", tone: "bad", icon: CircleX },
  archived: { word: "Archived", tone: "neutral", icon: Archive },
};

export function RunStateBadge({ state }: { state: RunState }) {
  return <StateBadge look={runLooks[state]} />;
}

export function ChangeSetStateBadge({ state }: { state: ChangeSetState }) {
  return <StateBadge look={changeSetLooks[state]} />;
}

export function ProjectStateBadge({ state }: { state: ProjectState }) {
  return <StateBadge look={projectLooks[state]} />;
}

function StateBadge({ look }: { look: Look }) {
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  );
}

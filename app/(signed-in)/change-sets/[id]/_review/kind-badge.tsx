import {
  CircleHelp,
  MessageSquare,
  OctagonAlert,
  Sparkles,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import { Badge, type Tone } from "@/app/_ui/badge";
import type { CommentKind } from "./types";

export const kindOptions: readonly { value: CommentKind; label: string }[] = [
  { value: "note", label: "Note" },
  { value: "blocking", label: "Blocking" },
  { value: "question", label: "Question" },
  { value: "nit", label: "Nit" },
  { value: "praise", label: "Praise" },
];

const looks: Record<CommentKind, { label: string; tone: Tone; icon: LucideIcon }> = {
  note: { label: "Note", tone: "neutral", icon: MessageSquare },
  blocking: { label: "Blocking", tone: "bad", icon: OctagonAlert },
  question: { label: "Question", tone: "accent", icon: CircleHelp },
  nit: { label: "Nit", tone: "neutral", icon: TriangleAlert },
  praise: { label: "Praise", tone: "good", icon: Sparkles },
};

/** How much a remark weighs. */
export function KindBadge({ kind }: { kind: CommentKind }) {
  const { label, tone, icon } = looks[kind];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

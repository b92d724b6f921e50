import { CircleAlert, CircleCheck, CircleX, type LucideIcon } from "lucide-react";
import { cn } from "./class-names";

export type Status = "ok" | "degraded" | "down";

const looks: Record<Status, { icon: LucideIcon; word: string; color: string }> = {
  ok: { icon: CircleCheck, word: "Working", color: "text-good" },
  degraded: { icon: CircleAlert, word: "Degraded", color: "text-warn" },
  down: { icon: CircleX, word: "Down", color: "text-bad" },
};

/** A state by shape, word and colour together, so that none of them has to be told apart alone. */
export function StatusMark({ status, className }: { status: Status; className?: string }) {
  const { icon: Icon, word, color } = looks[status];
  return (
    <span className={cn("inline-flex items-center gap-1.5 font-medium whitespace-nowrap", color, className)}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {word}
    </span>
  );
}

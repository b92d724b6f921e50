import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

const tones: Record<Tone, string> = {
  neutral: "border-line bg-sunken text-muted",
  accent: "border-transparent bg-accent-soft text-accent",
  good: "border-transparent bg-good-soft text-good",
  warn: "border-transparent bg-warn-soft text-warn",
  bad: "border-transparent bg-bad-soft text-bad",
};

interface BadgeProps {
  tone: Tone;
  icon?: LucideIcon;
  className?: string;
  children: ReactNode;
}

/** A state in a word. The word says it; tone and icon only help to find it. */
export function Badge({ tone, icon: Icon, className, children }: BadgeProps) {
  return (
    <span
      className={cn(
        "inline-flex h-5 w-fit shrink-0 items-center gap-1 rounded-full border px-2 text-xs font-medium whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      {Icon === undefined ? null : <Icon className="size-3 shrink-0" aria-hidden="true" />}
      {children}
    </span>
  );
}

"use client";

import { CircleSlash, CircleX, LoaderCircle, Moon, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/app/_ui/class-names";
import { RelativeTime } from "@/app/_ui/relative-time";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { RunDetail } from "../_rules/run-detail";
import { describeRun } from "../_rules/describe-run";

const looks: Readonly<Record<"busy" | "quiet" | "bad" | "sleep", { icon: LucideIcon; classes: string }>> = {
  busy: { icon: LoaderCircle, classes: "border-transparent bg-accent-soft text-accent" },
  quiet: { icon: CircleSlash, classes: "border-line bg-surface" },
  sleep: { icon: Moon, classes: "border-line bg-surface" },
  bad: { icon: CircleX, classes: "border-transparent bg-bad-soft text-bad" },
};

/** What a state means for who waits for a Run. Of an open one, and of one that proposed something, there is nothing to say. */
export function RunNotice({ run }: { run: RunDetail }) {
  const told = describeRun(run);
  if (told === null) return null;
  const { icon: Icon, classes } = looks[told.look];
  const reason: ReactNode =
    run.endReason === null ? null : (
      <p className="mt-0.5 text-ink wrap-anywhere">
        <UntrustedText text={run.endReason} multiline />
      </p>
    );
  return (
    <div role="status" className={cn("mb-4 flex gap-2.5 rounded-lg border px-3 py-2 text-sm", classes)}>
      <Icon
        aria-hidden="true"
        className={cn("mt-0.5 size-4 shrink-0", told.look === "busy" && "animate-spin")}
      />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{told.title}</span>{" "}
          {run.endedAt === null ? null : <RelativeTime at={run.endedAt} />}
        </p>
        {reason}
        <p className="mt-0.5 text-muted">{told.meaning}</p>
      </div>
    </div>
  );
}

"use client";

import { Bot } from "lucide-react";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { LinePlace } from "../_diff/places";
import { useDesk } from "./desk";

interface ReviewTopProps {
  goToFile: (path: string) => void;
  goToLine: (place: LinePlace) => void;
}

/** What is read before the lines: the agent's own words, marked as such, and where to look first. */
export function ReviewTop(_props: ReviewTopProps) {
  const { changeSet } = useDesk();
  return (
    <div className="flex flex-col gap-3 py-3">
      <section aria-label="Summary" className="rounded-lg border border-line bg-surface p-3">
        <p className="mb-1.5 flex items-center gap-1.5 text-xs font-medium text-muted">
          <Bot className="size-3.5" aria-hidden="true" />
          The agent says. Nobody has checked it.
        </p>
        <UntrustedText text={changeSet.summary} multiline className="max-w-[80ch] text-sm" />
      </section>
    </div>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot, ListChecks } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useApi } from "@/app/_client/api-provider";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { LinePlace } from "@/app/_diff/places";
import { useDesk } from "./desk";
import { LookFirst } from "./look-first";

interface ReviewTopProps {
  goToFile: (path: string) => void;
  goToLine: (place: LinePlace) => void;
  /** What reviewers said about the whole ChangeSet. */
  remarks: ReactNode;
}

/** What is read before the lines: what was asked, the agent's own words, marked as such, and where to look first. */
export function ReviewTop({ goToFile, goToLine, remarks }: ReviewTopProps) {
  const { changeSet } = useDesk();
  const api = useApi();
  const task = useQuery(api.task.get.queryOptions({ id: changeSet.taskId }));
  return (
    <div className="flex flex-col gap-3 py-3">
      <section aria-label="Summary" className="rounded-lg border border-line bg-surface">
        <Part icon={<ListChecks className="size-3.5" aria-hidden="true" />} title="The Task">
          <p className="font-medium">
            <UntrustedText text={changeSet.taskTitle} />
          </p>
          {task.data === undefined ? null : <LongText text={task.data.instructions} />}
        </Part>
        <Part
          icon={<Bot className="size-3.5" aria-hidden="true" />}
          title="What the agent says it did"
          note="Its own words. Nobody has checked them."
        >
          {changeSet.summary.trim() === "" ? (
            <p className="text-muted">It said nothing but the title.</p>
          ) : (
            <LongText text={changeSet.summary} />
          )}
        </Part>
      </section>
      <LookFirst goToFile={goToFile} goToLine={goToLine} />
      {remarks}
    </div>
  );
}

interface PartProps {
  icon: ReactNode;
  title: string;
  note?: string;
  children: ReactNode;
}

function Part({ icon, title, note, children }: PartProps) {
  return (
    <div className="border-line px-3 py-2 text-sm not-first:border-t">
      <h2 className="mb-1 flex flex-wrap items-center gap-x-1.5 text-xs font-medium text-muted">
        {icon}
        {title}
        {note === undefined ? null : <span className="font-normal">· {note}</span>}
      </h2>
      {children}
    </div>
  );
}

const charactersAtOnce = 1_200;

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > charactersAtOnce;
  return (
    <>
      <UntrustedText
        text={isLong && !isWhole ? `${text.slice(0, charactersAtOnce)} …` : text}
        multiline
        className="max-w-[90ch]"
      />
      {isLong ? (
        <button
          type="button"
          onClick={() => setWhole(!isWhole)}
          className="mt-1 text-xs text-accent underline-offset-2 hover:underline"
        >
          {isWhole ? "Show less" : "Show all of it"}
        </button>
      ) : null}
    </>
  );
}

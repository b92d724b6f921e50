"use client";

import Link from "next/link";
import { LinkButton } from "@/app/_ui/button";
import { DiffStat } from "@/app/_ui/diff-stat";
import { EmptyState } from "@/app/_ui/empty-state";
import { Panel } from "@/app/_ui/panel";
import { RelativeTime } from "@/app/_ui/relative-time";
import { ChangeSetStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { attemptsOf } from "../_rules/attempts";
import type { ChangeDetail } from "../_rules/change-detail";
import { titleOfTask } from "./slots";

/** What was proposed, by Task and attempt, the newest version of each first. */
export function ChangeSetsPanel({ change }: { change: ChangeDetail }) {
  const attempts = attemptsOf(change.changeSets);
  return (
    <Panel
      title="ChangeSets"
      count={change.changeSets.length}
      actions={
        attempts.length < 2 ? undefined : (
          <LinkButton size="sm" href={`/changes/${change.id}/compare`}>
            Compare attempts
          </LinkButton>
        )
      }
    >
      {attempts.length === 0 ? (
        <EmptyState title="Nothing is proposed yet">
          A Run that completes its Task proposes a ChangeSet.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {attempts.map(({ seriesId, number, versions }) => (
            <li key={seriesId} className="px-3 py-2.5">
              <p className="text-xs text-muted">
                <UntrustedText text={titleOfTask(change, versions[0]?.taskId ?? "")} /> · attempt {number}
              </p>
              <ul>
                {versions.map((version) => (
                  <li key={version.id}>
                    <Link
                      href={`/change-sets/${version.id}`}
                      className="-mx-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-2 py-1 hover:bg-sunken"
                    >
                      <ChangeSetStateBadge state={version.state} />
                      <span className="min-w-0 flex-1 wrap-anywhere">
                        <UntrustedText text={version.title} />{" "}
                        <span className="text-muted">v{version.version}</span>
                      </span>
                      <DiffStat
                        insertions={version.insertions}
                        deletions={version.deletions}
                        filesChanged={version.filesChanged}
                      />
                      <span className="text-xs text-muted">
                        <RelativeTime at={version.createdAt} />
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

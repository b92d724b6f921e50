"use client";

import { CopyButton } from "@/app/_ui/copy-button";
import { Panel } from "@/app/_ui/panel";
import type { ProjectDetail } from "../_rules/project-detail";

/** Where people's git finds the repository, and what to type. */
export function ClonePanel({ project }: { project: ProjectDetail }) {
  const isEmpty = project.headCommit === null;
  const command = isEmpty
    ? `git push ${project.cloneUrl} HEAD:${project.defaultBranch}`
    : `git clone ${project.cloneUrl}`;
  return (
    <Panel title={isEmpty ? "Push the first commit" : "Clone address"}>
      <div className="flex flex-col gap-2 px-3 py-3">
        <div className="flex items-start gap-2">
          <code className="min-w-0 flex-1 rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs wrap-anywhere">
            {command}
          </code>
          <CopyButton text={command} label="Copy the command" />
        </div>
        <p className="text-xs text-muted">
          Any user name; the password is a token. Reviewers and admins fetch, admins push. Agents reach the
          repository only through their workspace.
          {isEmpty ? " Workspaces open once the default branch has a commit." : ""}
        </p>
      </div>
    </Panel>
  );
}

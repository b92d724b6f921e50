"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive } from "lucide-react";
import { useState } from "react";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { useSession } from "@/app/_client/session";
import { Button, LinkButton } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { PageHeader } from "@/app/_ui/page-header";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { ProjectStateBadge } from "@/app/_ui/state-badge";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { BranchesPanel } from "./branches-panel";
import { ChangesPanel } from "./changes-panel";
import { ClonePanel } from "./clone-panel";
import type { ProjectDetail } from "../_rules/project-detail";

const importRefreshMs = 1_500;

/** One Project: where to push, its branches, its Changes. */
export function ProjectView({ id }: { id: string }) {
  const api = useApi();
  const query = useQuery({
    ...api.project.get.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data?.state === "importing" ? importRefreshMs : false),
  });
  return (
    <QueryState
      isPage
      query={query}
      skeleton={<SkeletonRows rows={6} rowClassName="h-14" />}
      awaited="the Project"
    >
      {(project) => <Project project={project} />}
    </QueryState>
  );
}

function Project({ project }: { project: ProjectDetail }) {
  const { can } = useSession();
  const [isArchiving, setArchiving] = useState(false);
  return (
    <>
      <PageHeader
        title={project.name}
        crumbs={[{ label: "Projects", href: "/projects" }]}
        meta={
          <>
            <ProjectStateBadge state={project.state} />
            {project.stateDetail === null ? null : <UntrustedText text={project.stateDetail} />}
          </>
        }
        actions={
          can("admin") ? (
            <>
              <LinkButton href={`/settings/tokens?project=${project.id}`}>Make an agent’s token</LinkButton>
              {project.state === "archived" ? null : (
                <Button onClick={() => setArchiving(true)}>
                  <Archive aria-hidden="true" /> Archive
                </Button>
              )}
            </>
          ) : null
        }
      />
      <div className="flex flex-col gap-6">
        <ChangesPanel project={project} />
        <ClonePanel project={project} />
        <BranchesPanel project={project} />
      </div>
      <ArchiveDialog project={project} isOpen={isArchiving} onOpenChange={setArchiving} />
    </>
  );
}

interface ArchiveDialogProps {
  project: ProjectDetail;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

function ArchiveDialog({ project, isOpen, onOpenChange }: ArchiveDialogProps) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title="Archive this Project?"
      description="Its Runs are stopped and closed, and no workspace opens any more. The repository, ChangeSets and logs stay readable."
      confirmLabel="Archive"
      tone="danger"
      typedWord={project.name}
      onConfirm={async () => {
        await client.project.archive.mutate({ id: project.id });
        await queryClient.invalidateQueries(api.project.pathFilter());
      }}
    />
  );
}

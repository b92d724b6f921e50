"use client";

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Button } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";
import { Field, TextArea, TextInput } from "@/app/_ui/field";
import { FormDialog } from "@/app/_ui/form-dialog";
import { LoadMore } from "@/app/_ui/load-more";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { ProjectDetail } from "../_rules/project-detail";

/** The Changes of a Project, and the way to a new one. */
export function ChangesPanel({ project }: { project: ProjectDetail }) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const query = useInfiniteQuery(
    api.change.list.infiniteQueryOptions(
      { projectId: project.id },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const create =
    project.state === "archived" ? null : (
      <Button size="sm" variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" /> New Change
      </Button>
    );
  return (
    <Panel title="Changes" actions={create}>
      <QueryState
        query={query}
        skeleton={<SkeletonRows rows={3} />}
        awaited="the Changes"
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={
          <EmptyState title="No Change yet">
            A Change is one unit of intended work. Its Tasks are what agents work on.
          </EmptyState>
        }
      >
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          return (
            <>
              <ul className="divide-y divide-line">
                {items.map((change) => (
                  <li key={change.id}>
                    <Link
                      href={`/changes/${change.id}`}
                      className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-3 py-2.5 hover:bg-sunken"
                    >
                      <span className="min-w-0 font-medium wrap-anywhere">
                        <UntrustedText text={change.title} />
                      </span>
                      <span className="text-xs text-muted">
                        {change.slots.open} of {change.slots.max} slots open ·{" "}
                        <RelativeTime at={change.createdAt} />
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              <LoadMore query={query} shown={items.length} />
            </>
          );
        }}
      </QueryState>
      {isOpen ? <NewChangeDialog projectId={project.id} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

function NewChangeDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const api = useApi();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const create = useMutation({
    ...api.change.create.mutationOptions(),
    onSuccess: (change) => {
      void queryClient.invalidateQueries(api.change.pathFilter());
      router.push(`/changes/${change.id}`);
    },
  });
  return (
    <FormDialog
      title="New Change"
      description="What should be different when it is done."
      submitLabel="Create"
      act={create}
      onSubmit={() => create.mutate({ projectId, title, description })}
      onClose={onClose}
    >
      <Field label="Title">
        <TextInput
          required
          maxLength={200}
          placeholder="Add rate limits"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      <Field label="Goal" hint="Agents and reviewers read this.">
        <TextArea rows={5} value={description} onChange={(event) => setDescription(event.target.value)} />
      </Field>
    </FormDialog>
  );
}

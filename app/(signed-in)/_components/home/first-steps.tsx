"use client";

import type { ReactNode } from "react";
import { useSession } from "@/app/_client/session";
import { LinkButton } from "@/app/_ui/button";
import { Panel } from "@/app/_ui/panel";
import { SampleButton } from "./sample-button";

/** What to do while there is no Project. */
export function FirstSteps() {
  const { can } = useSession();
  return (
    <Panel title="First steps" className="mb-4">
      {can("admin") ? (
        <ol className="divide-y divide-line">
          <Step
            number={1}
            title="Create a Project or import a repository"
            action={
              <LinkButton href="/projects" variant="primary">
                Projects
              </LinkButton>
            }
          >
            A Project is one git repository, and the one Sandbox that its Runs share.
          </Step>
          <Step
            number={2}
            title="Make a token for an agent"
            action={<LinkButton href="/settings/tokens">Tokens</LinkButton>}
          >
            It is bound to that Project. The agent calls the API or MCP with it.
          </Step>
          <Step number={3} title="Give it a Task">
            The agent opens a workspace, works, and proposes a ChangeSet. It shows up here, for your review.
          </Step>
          <Step title="See it done first" action={<SampleButton />}>
            A sample repository with a failing test, and a scripted agent without a model that mends it. It
            makes a Project of its own and costs about two minutes of sandbox time.
          </Step>
        </ol>
      ) : (
        <p className="px-3 py-3 text-sm text-muted">
          There is no Project yet. An admin creates one; what agents propose in it shows up here.
        </p>
      )}
    </Panel>
  );
}

interface StepProps {
  number?: number;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

function Step({ number, title, action, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
      <span
        aria-hidden="true"
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-sunken text-xs font-medium text-muted"
      >
        {number ?? "or"}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{title}</p>
        <p className="text-sm text-muted">{children}</p>
      </div>
      {action}
    </li>
  );
}

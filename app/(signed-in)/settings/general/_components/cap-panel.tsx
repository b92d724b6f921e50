"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { formatSeconds } from "@/app/_ui/amount-words";
import { Button } from "@/app/_ui/button";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import { CapForm } from "./cap-form";

/** The monthly cap: what it is, what a new one would do now, and who changed it when. */
export function CapPanel() {
  const api = useApi();
  const query = useQuery(api.usage.current.queryOptions({}));
  return (
    <Panel title="Monthly cap">
      <QueryState query={query} skeleton={<SkeletonRows rows={4} />} awaited="the meter">
        {(usage) => <CapForm usage={usage} />}
      </QueryState>
      <CapHistory />
    </Panel>
  );
}

const shownFirst = 4;

function CapHistory() {
  const api = useApi();
  const query = useQuery(api.audit.list.queryOptions({ subject: "sandbox_monthly_seconds", limit: 50 }));
  const [isWhole, setWhole] = useState(false);
  const items = query.data?.items ?? [];
  if (items.length === 0) return null;
  const shown = isWhole ? items : items.slice(0, shownFirst);
  return (
    <>
      <ul className="divide-y divide-line border-t border-line text-xs">
        {shown.map(({ id, at, actor, data }) => (
          <li key={id} className="flex flex-wrap gap-x-2 px-3 py-2 text-muted">
            <span className="text-ink">
              <UntrustedText text={actor?.name ?? "the server"} />
            </span>
            changed it from {valueWords(data["before"])} to {valueWords(data["after"])}{" "}
            <RelativeTime at={at} />
          </li>
        ))}
      </ul>
      {shown.length < items.length ? (
        <div className="border-t border-line px-1 py-0.5">
          <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
            Show {items.length - shown.length} earlier changes
          </Button>
        </div>
      ) : null}
    </>
  );
}

function valueWords(value: unknown): string {
  return typeof value === "number" ? formatSeconds(value) : "what the environment says";
}

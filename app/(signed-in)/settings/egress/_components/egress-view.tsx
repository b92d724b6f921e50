"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { AllowDialog } from "./allow-dialog";
import { AllowlistPanel } from "./allowlist-panel";
import { RefusalList } from "./refusal-list";

/** How often egress is asked what it refused while the page is seen. */
const lookMs = 5_000;

/** What sandboxes may reach, and what they lately asked for in vain. */
export function EgressView() {
  const api = useApi();
  const query = useQuery({ ...api.egress.list.queryOptions({}), refetchInterval: lookMs });
  const [allowing, setAllowing] = useState<string | null>(null);
  return (
    <>
      <AllowlistPanel query={query} onAllow={setAllowing} />
      <Panel title="Refused lately">
        <QueryState query={query} skeleton={<SkeletonRows rows={4} />} awaited="egress">
          {(data) => <RefusalList list={data} onAllow={setAllowing} />}
        </QueryState>
      </Panel>
      {allowing === null ? null : <AllowDialog host={allowing} onClose={() => setAllowing(null)} />}
    </>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { useSession } from "@/app/_client/session";
import { Seconds } from "@/app/_ui/amounts";
import { RelativeTime } from "@/app/_ui/relative-time";
import type { RunDetail } from "../_rules/run-detail";

const sessionsMax = 20;
/** Seconds of an open session grow without an event. */
const refreshMs = 5_000;

/** What a Run was charged, and for which times awake. */
export function Charged({ run }: { run: RunDetail }) {
  const { can } = useSession();
  return (
    <section className="rounded-lg border border-line bg-surface p-4 text-xs">
      <h2 className="text-sm font-semibold">
        Charged{run.isSettled ? "" : " so far"}: <Seconds value={run.chargedSeconds} />
      </h2>
      <p className="mt-1 text-muted">
        Each time awake costs its wall time and a tail, during which the Sandbox is kept.
      </p>
      {can("reviewer") ? <Sessions run={run} /> : null}
    </section>
  );
}

function Sessions({ run }: { run: RunDetail }) {
  const api = useApi();
  const query = useQuery({
    ...api.usage.sessions.queryOptions({ runId: run.id, limit: sessionsMax }),
    refetchInterval: run.isSettled ? false : refreshMs,
  });
  const sessions = query.data?.items ?? [];
  if (sessions.length === 0) return null;
  return (
    <table className="mt-2 w-full text-left tabular-nums">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-0.5 font-normal">
            Awake
          </th>
          <th scope="col" className="py-0.5 text-right font-normal">
            Wall
          </th>
          <th scope="col" className="py-0.5 text-right font-normal">
            Charged
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td className="py-0.5">
              <RelativeTime at={session.openedAt ?? session.createdAt} />
            </td>
            <td className="py-0.5 text-right">
              <Seconds value={session.wallSeconds} />
            </td>
            <td className="py-0.5 text-right">
              <Seconds value={session.chargedSeconds} />
              {session.isSettled ? null : <span className="text-muted"> so far</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

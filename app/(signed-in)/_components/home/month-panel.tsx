"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "@/app/_client/api-provider";
import { formatSeconds } from "@/app/_ui/amounts";
import { MeterBar } from "@/app/_ui/meter-bar";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { useNow } from "@/app/_ui/relative-time";
import { Skeleton } from "@/app/_ui/skeleton";
import { forecastSeconds } from "./forecast";

const refreshMs = 30_000;

/** The month's sandbox time: used, reserved, left, and what it comes to if it goes on so. */
export function MonthPanel() {
  const api = useApi();
  const query = useQuery({ ...api.usage.current.queryOptions(), refetchInterval: refreshMs });
  return (
    <Panel
      title="This month"
      actions={
        <Link href="/usage" className="text-xs text-accent hover:underline">
          Usage
        </Link>
      }
    >
      <QueryState query={query} awaited="the meter" skeleton={<MonthSkeleton />}>
        {({ usedSeconds, reservedSeconds, capSeconds, remainingSeconds }) => (
          <div className="flex min-h-24 flex-col gap-1.5 px-3 py-2.5 text-xs text-muted">
            <p className="flex items-baseline justify-between gap-2 tabular-nums">
              <span className="text-sm font-medium text-ink">{formatSeconds(usedSeconds)} used</span>
              <span>of {formatSeconds(capSeconds)}</span>
            </p>
            <MeterBar used={usedSeconds} reserved={reservedSeconds} cap={capSeconds} />
            <p className="tabular-nums">
              {formatSeconds(reservedSeconds)} reserved, {formatSeconds(remainingSeconds)} left
            </p>
            <Forecast usedSeconds={usedSeconds} capSeconds={capSeconds} />
          </div>
        )}
      </QueryState>
    </Panel>
  );
}

function Forecast({ usedSeconds, capSeconds }: { usedSeconds: number; capSeconds: number }) {
  const now = useNow();
  const forecast = now === null ? null : forecastSeconds(usedSeconds, now);
  if (forecast === null) return <p>Too early in the month for a forecast.</p>;
  const isOver = forecast > capSeconds;
  return (
    <p className={isOver ? "text-warn" : ""} title="A straight line from the month so far, in UTC">
      About {formatSeconds(forecast)} by the end of the month, if it goes on as so far
      {isOver ? ": more than the cap" : ""}.
    </p>
  );
}

function MonthSkeleton() {
  return (
    <div className="flex min-h-24 flex-col gap-2.5 px-3 py-3">
      <Skeleton className="w-full" />
      <Skeleton className="h-1.5 w-full" />
      <Skeleton className="w-2/3" />
    </div>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "@/app/_client/api-provider";
import { formatSeconds } from "@/app/_ui/amounts";
import { MeterBar } from "@/app/_ui/meter-bar";
import { Skeleton } from "@/app/_ui/skeleton";

/** Running sessions are charged as time passes, which no event tells. */
const refreshMs = 30_000;

/** How much of the month is used, from every page. */
export function MiniMeter() {
  const api = useApi();
  const { data } = useQuery({ ...api.usage.current.queryOptions(), refetchInterval: refreshMs });
  return (
    <Link
      href="/usage"
      className="flex h-9 w-44 flex-col justify-center gap-1 rounded-md px-2 hover:bg-sunken"
      title="Sandbox time of this month, used and reserved, of the cap"
    >
      {data === undefined ? (
        <Skeleton className="h-4 w-full" />
      ) : (
        <>
          <span className="flex justify-between gap-2 text-2xs whitespace-nowrap text-muted tabular-nums">
            <span className="text-ink">{formatSeconds(data.usedSeconds + data.reservedSeconds)}</span>
            <span>of {formatSeconds(data.capSeconds)}</span>
          </span>
          <MeterBar
            used={data.usedSeconds}
            reserved={data.reservedSeconds}
            cap={data.capSeconds}
            className="h-1"
          />
        </>
      )}
    </Link>
  );
}

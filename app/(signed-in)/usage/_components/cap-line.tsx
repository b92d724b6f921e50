"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import { useApi } from "@/app/_client/api-provider";
import { useSession } from "@/app/_client/session";
import { formatSeconds } from "@/app/_ui/amount-words";
import { MeterBar } from "@/app/_ui/meter-bar";
import { RelativeTime, useNow } from "@/app/_ui/relative-time";
import type { AppRouter } from "@/server/api/root";
import { forecastSeconds } from "../../_components/home/forecast";

type Usage = inferRouterOutputs<AppRouter>["usage"]["current"];

const sources = {
  setting: "set by an admin",
  environment: "set by SANDBOX_MONTHLY_SECONDS",
  default: "the default",
};

/** A month under the cap that is in force now: used, reserved, left, and what it comes to. */
export function CapLine({ usage }: { usage: Usage }) {
  const { month, capSeconds, capSource, usedSeconds, reservedSeconds, remainingSeconds } = usage;
  const now = useNow();
  const isPresent = now?.toISOString().startsWith(month) === true;
  return (
    <div className="flex flex-col gap-2 px-3 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-lg font-semibold tracking-tight tabular-nums">
          {formatSeconds(usedSeconds)} used
        </span>
        <span className="text-muted tabular-nums">
          of {formatSeconds(capSeconds)} ({capSeconds} s), {sources[capSource]}
        </span>
      </p>
      <MeterBar used={usedSeconds} reserved={reservedSeconds} cap={capSeconds} />
      <p className="text-xs text-muted tabular-nums">
        {formatSeconds(reservedSeconds)} reserved by open workspaces, {formatSeconds(remainingSeconds)} left.
      </p>
      {isPresent ? (
        <>
          <Forecast usedSeconds={usedSeconds} capSeconds={capSeconds} now={now} />
          {remainingSeconds === 0 ? <OverCap /> : null}
          <RefusedLately />
        </>
      ) : null}
    </div>
  );
}

function Forecast({ usedSeconds, capSeconds, now }: { usedSeconds: number; capSeconds: number; now: Date }) {
  const forecast = forecastSeconds(usedSeconds, now);
  if (forecast === null) return <p className="text-xs text-muted">Too early in the month for a forecast.</p>;
  const isOver = forecast > capSeconds;
  return (
    <p className={isOver ? "text-xs text-warn" : "text-xs text-muted"}>
      About {formatSeconds(forecast)} by the end of the month, if it goes on in a straight line
      {isOver ? ": more than the cap" : ""}.
    </p>
  );
}

function OverCap() {
  const { can } = useSession();
  return (
    <p role="status" className="rounded-md bg-bad-soft px-2.5 py-1.5 text-bad">
      Nothing is left: every open is refused, and open workspaces get no more than they hold, until the month
      ends or{" "}
      {can("admin") ? (
        <Link href="/settings/general" className="underline">
          the cap is raised
        </Link>
      ) : (
        "an admin raises the cap"
      )}
      .
    </p>
  );
}

const lookedAtMax = 50;

/** Opens that the meter refused this month, as far as the last refusals tell. */
function RefusedLately() {
  const api = useApi();
  const query = useQuery(
    api.event.list.queryOptions({ types: ["workspace.refused"], newestFirst: true, limit: lookedAtMax }),
  );
  const now = useNow();
  const month = now?.toISOString().slice(0, 7) ?? "";
  const refused = (query.data?.items ?? []).filter(
    ({ at, data }) => data["reason"] === "meter_exhausted" && at.startsWith(month),
  );
  const [last] = refused;
  if (last === undefined) return null;
  return (
    <p className="text-xs text-warn">
      The meter refused {refused.length === 1 ? "an open" : `${refused.length} opens`} this month, last{" "}
      <RelativeTime at={last.at} />
      {last.changeId === null ? null : (
        <>
          {" "}
          for{" "}
          <Link href={`/changes/${last.changeId}`} className="underline">
            this Change
          </Link>
        </>
      )}
      .
    </p>
  );
}

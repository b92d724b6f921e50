import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

export type Session = inferRouterOutputs<AppRouter>["usage"]["sessions"]["items"][number];

const columns = [
  "session",
  "project",
  "change",
  "run",
  "state",
  "opened_at",
  "ended_at",
  "wall_seconds",
  "tail_seconds",
  "charged_seconds_in_month",
] as const;

/** The sessions that were charged in a month or hold seconds of it, one a line. Source: RFC 4180; no field needs quotes. */
export function toCsv(month: string, sessions: readonly Session[]): string {
  const lines = sessions.flatMap((session) => {
    const share = session.months.find((one) => one.month === month);
    if (share === undefined) return [];
    return [
      [
        session.id,
        session.projectId,
        session.changeId,
        session.runId,
        session.state,
        session.openedAt ?? "",
        session.endedAt ?? "",
        session.wallSeconds ?? "",
        session.tailSeconds,
        session.chargedSeconds === null ? "" : share.chargedSeconds,
      ].join(","),
    ];
  });
  return [columns.join(","), ...lines, ""].join("\r\n");
}

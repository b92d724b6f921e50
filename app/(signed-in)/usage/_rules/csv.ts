import type { inferRouterOutputs } from "@trpc/server";
import { toCsvText } from "@/app/_client/csv";
import type { AppRouter } from "@/server/api/root";

export type Session = inferRouterOutputs<AppRouter>["usage"]["sessions"]["items"][number];

const columns = [
  "session",
  "project",
  "project_name",
  "change",
  "change_title",
  "run",
  "state",
  "opened_at",
  "ended_at",
  "wall_seconds",
  "tail_seconds",
  "charged_seconds_in_month",
] as const;

/** The sessions that have a share in a month, one a line. What is not settled yet has no charge. */
export function toCsv(month: string, sessions: readonly Session[]): string {
  const rows = sessions.flatMap((session) => {
    const share = session.months.find((one) => one.month === month);
    if (share === undefined) return [];
    return [
      [
        session.id,
        session.projectId,
        session.projectName,
        session.changeId,
        session.changeTitle,
        session.runId,
        session.state,
        session.openedAt,
        session.endedAt,
        session.isSettled ? session.wallSeconds : null,
        session.tailSeconds,
        session.isSettled ? share.chargedSeconds : null,
      ],
    ];
  });
  return toCsvText([columns, ...rows]);
}

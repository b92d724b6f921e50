import type { Meter } from "../meter/service";
import type { SecondsSoFar } from "../meter/types";
import type { Clock } from "../platform/clock";
import type { InboxStore } from "./store";
import type { InboxFilter, InboxRow } from "./types";

/** How far back the groups reach that only grow. */
const latelyDays: Partial<Record<InboxFilter["group"], number>> = { stuck: 3, merged: 14 };
const dayMs = 86_400_000;

/** What waits for whom. It reads what other domains wrote and owns nothing. */
export interface Inbox {
  /**
   * One page of a group, and how many the whole group has. What waits stands oldest first, what went on lately newest
   * first. A row that leaves the group between two pages costs no other row.
   */
  list(input: InboxFilter & { after: string | null; limit: number }): Promise<{
    count: number;
    rows: (InboxRow & Pick<SecondsSoFar, "chargedSeconds" | "isSettled">)[];
  }>;
}

export function createInbox(deps: {
  store: InboxStore;
  meter: Pick<Meter, "secondsByChange">;
  clock: Clock;
}): Inbox {
  const { store, meter, clock } = deps;
  return {
    list: async ({ after, limit, ...filter }) => {
      const since = new Date(clock.now().getTime() - (latelyDays[filter.group] ?? 0) * dayMs);
      const [count, rows] = await Promise.all([
        store.count({ ...filter, since }),
        store.list({ ...filter, since, after, limit }),
      ]);
      const seconds = await meter.secondsByChange([...new Set(rows.map(({ changeId }) => changeId))]);
      return {
        count,
        rows: rows.map((row) => {
          const { chargedSeconds = 0, isSettled = true } = seconds.get(row.changeId) ?? {};
          return { ...row, chargedSeconds, isSettled };
        }),
      };
    },
  };
}

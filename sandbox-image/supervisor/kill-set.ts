import type { ProcessEntry } from "./process-table";

export interface KillScope {
  uid: number;
  /** The session that the command's first process leads; its number is that process's pid. Null for none. */
  session: number | null;
  /** Whether that process is still there. It is root for an instant after its start, and goes by its pid. */
  isMainAlive: boolean;
  /** Whether everything of the uid goes, because no other command of it is live. */
  isWholeUid: boolean;
  /** The uid's file helper, which is ours. */
  sparedPid: number | null;
}

/**
 * Picks from the table what belongs to a command: its session, the descendants of anything in it, and whatever belonged
 * to it before (`known`, which is extended), since a process that lost its parents is found by nothing else.
 * Never picks a process of another uid, but for the command's first one.
 */
export function selectKillSet(
  table: readonly ProcessEntry[],
  scope: KillScope,
  known: Set<string> = new Set(),
): ProcessEntry[] {
  const mainPid = scope.isMainAlive ? scope.session : null;
  const candidates = table.filter(
    (entry) =>
      !entry.isDead && entry.pid !== scope.sparedPid && (entry.uid === scope.uid || entry.pid === mainPid),
  );
  if (scope.isWholeUid) return candidates;

  const chosen = new Map<number, ProcessEntry>();
  const sessions = new Set<number>(scope.session === null ? [] : [scope.session]);
  let sizeBefore = -1;
  while (chosen.size !== sizeBefore) {
    sizeBefore = chosen.size;
    for (const entry of candidates) {
      const belongs =
        sessions.has(entry.session) ||
        entry.pid === mainPid ||
        chosen.has(entry.parentPid) ||
        known.has(identityOf(entry));
      if (!belongs) continue;
      chosen.set(entry.pid, entry);
      sessions.add(entry.session);
    }
  }
  for (const entry of chosen.values()) known.add(identityOf(entry));
  return [...chosen.values()];
}

function identityOf(entry: ProcessEntry): string {
  return `${entry.pid}:${entry.startTicks}`;
}

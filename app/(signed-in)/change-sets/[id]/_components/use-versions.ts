"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import type { ChangeSetView } from "./desk";

export interface Version {
  id: string;
  version: number;
  state: ChangeSetView["state"];
  headCommit: string;
}

/** All versions of a ChangeSet's series, the oldest first; at least the one that is shown. */
export function useVersions(changeSet: ChangeSetView): readonly Version[] {
  const api = useApi();
  const { taskId, seriesId } = changeSet;
  const query = useQuery(api.changeSet.list.queryOptions({ taskId, limit: 100 }));
  const found = query.data?.items.filter((item) => item.seriesId === seriesId) ?? [];
  const versions = found.some(({ id }) => id === changeSet.id) ? found : [changeSet];
  return [...versions].sort((a, b) => a.version - b.version);
}

"use client";

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { useApiClient } from "./api-provider";
import { startLiveLink, type LiveState } from "./live-link";
import { routersOfEvent } from "./routers-of-event";

const LiveContext = createContext<LiveState>({ status: "connecting", since: null });

/** Whether what happens on the server reaches this page at once. */
export function useLiveState(): LiveState {
  return useContext(LiveContext);
}

/** What an event may have changed is asked for again where it is on the screen: one stream for the whole page. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const client = useApiClient();
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>({ status: "connecting", since: null });
  useEffect(
    () =>
      startLiveLink({
        client,
        onEvents: (types) => void invalidate(queryClient, types),
        onState: setState,
      }),
    [client, queryClient],
  );
  return <LiveContext value={state}>{children}</LiveContext>;
}

function invalidate(queryClient: QueryClient, types: ReadonlySet<string> | null): Promise<void> {
  const lists = types === null ? [null] : [...types].map(routersOfEvent);
  if (lists.includes(null)) return queryClient.invalidateQueries();
  const routers = new Set(lists.flatMap((list) => list ?? []));
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => {
      const path: unknown = queryKey[0];
      const router: unknown = Array.isArray(path) ? path[0] : undefined;
      return typeof router === "string" && routers.has(router);
    },
  });
}

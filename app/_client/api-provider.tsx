"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink, TRPCClientError } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { useState, type ReactNode } from "react";
import type { AppRouter } from "@/server/api/root";
import { describeApiError } from "./errors";
import { withoutDirection } from "./without-direction";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** The typed API, for components that run in the browser. */
export const useApi = useTRPC;

/** The same without the cache: for what is called and not shown. */
export const useApiClient = useTRPCClient;

const apiPath = "/api/trpc";
const staleAfterMs = 5_000;

export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  const [apiClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        withoutDirection,
        splitLink({
          condition: (operation) => operation.type === "subscription",
          true: httpSubscriptionLink({ url: apiPath }),
          false: httpLink({ url: apiPath }),
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={apiClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The server may be this very machine: whether there is a network says nothing.
      queries: { retry: isWorthAnotherTry, staleTime: staleAfterMs, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
}

/** Once more when the server did not answer; what it refused in its own words stays refused. */
function isWorthAnotherTry(failureCount: number, error: unknown): boolean {
  if (failureCount > 0) return false;
  return !(error instanceof TRPCClientError) || describeApiError(error).domainCode === null;
}

"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { createContext, useContext, type ReactNode } from "react";
import type { AppRouter } from "@/server/api/root";
import { useApi } from "./api-provider";

export type Me = inferRouterOutputs<AppRouter>["user"]["me"];

export interface Session extends Me {
  /** Whether what takes this role is open to whoever looks. The server decides anew on every call. */
  can: (role: "admin" | "reviewer") => boolean;
}

const MeContext = createContext<Me | null>(null);

/** Who looks at the page. */
export function useSession(): Session {
  const me = useContext(MeContext);
  if (me === null) throw new Error("useSession stands outside of SessionProvider.");
  return {
    ...me,
    can: (role) => me.role === "admin" || (role === "reviewer" && me.role === "reviewer"),
  };
}

/** `initial` is what the server saw when it made the page; a role that changed meanwhile shows on the next look. */
export function SessionProvider({ initial, children }: { initial: Me; children: ReactNode }) {
  const api = useApi();
  const { data } = useQuery({ ...api.user.me.queryOptions(), initialData: initial });
  return <MeContext value={data}>{children}</MeContext>;
}

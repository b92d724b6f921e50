"use client";

import { usePathname, useSearchParams } from "next/navigation";

export interface HomeFilter {
  projectId: string | null;
  search: string | null;
}

/** What is shown, kept in the address, so that it can be reloaded, kept and sent to somebody. */
export function useHomeFilter(): { filter: HomeFilter; change: (next: Partial<HomeFilter>) => void } {
  const parameters = useSearchParams();
  const pathname = usePathname();
  const filter = { projectId: parameters.get("project"), search: parameters.get("q") };
  return {
    filter,
    change: (next) => {
      const { projectId, search } = { ...filter, ...next };
      const query = new URLSearchParams();
      if (projectId !== null) query.set("project", projectId);
      if (search !== null && search !== "") query.set("q", search);
      window.history.replaceState(null, "", query.size === 0 ? pathname : `${pathname}?${query.toString()}`);
    },
  };
}

"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback } from "react";

/** What the shown version is compared with stands in the address, so that a link shows the same. */
export function useAgainst(fallback: string): [string, (against: string) => void] {
  const router = useRouter();
  const pathname = usePathname();
  const asked = useSearchParams().get("against");
  const set = useCallback(
    (against: string) =>
      router.replace(`${pathname}?${new URLSearchParams({ against }).toString()}`, { scroll: false }),
    [router, pathname],
  );
  const isId = asked !== null && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(asked);
  return [asked === "base" || isId ? asked : fallback, set];
}

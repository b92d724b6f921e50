"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import Link from "next/link";
import { useApi } from "@/app/_client/api-provider";
import { cn } from "@/app/_ui/class-names";

const refreshMs = 15_000;

/** Whether every part works, and the way to the page that tells which does not. */
export function HealthMark({ className }: { className?: string }) {
  const api = useApi();
  const query = useQuery({ ...api.health.get.queryOptions(), refetchInterval: refreshMs });
  const isKnown = query.data !== undefined && !query.isError;
  const isOk = isKnown && query.data.status === "ok";
  const Icon = isOk ? CircleCheck : isKnown ? CircleAlert : CircleDashed;
  return (
    <Link
      href="/health"
      className={cn(
        "inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-xs whitespace-nowrap hover:bg-sunken",
        isOk || !isKnown ? "text-muted" : "text-warn",
        className,
      )}
    >
      <Icon className={cn("size-4 shrink-0", isOk && "text-good")} aria-hidden="true" />
      {isOk ? "Healthy" : isKnown ? "Needs a hand" : "Health"}
    </Link>
  );
}

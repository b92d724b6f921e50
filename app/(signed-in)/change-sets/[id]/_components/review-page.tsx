"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/app/_client/api-provider";
import { QueryState } from "@/app/_ui/query-state";
import { Skeleton } from "@/app/_ui/skeleton";
import { Review } from "./review";
import { WholePage } from "./whole-page";

/** The desk where one ChangeSet is read and judged. */
export function ReviewPage({ id }: { id: string }) {
  const api = useApi();
  const query = useQuery(api.changeSet.get.queryOptions({ id }));
  return (
    <WholePage>
      <QueryState isPage query={query} awaited="the ChangeSet" skeleton={<ReviewSkeleton />}>
        {(changeSet) => <Review key={changeSet.id} changeSet={changeSet} />}
      </QueryState>
    </WholePage>
  );
}

function ReviewSkeleton() {
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <Skeleton className="h-6 w-1/2" />
      <Skeleton className="h-4 w-1/3" />
      <Skeleton className="h-40" />
    </div>
  );
}

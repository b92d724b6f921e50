"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { EmptyState } from "@/app/_ui/empty-state";
import { LoadMore } from "@/app/_ui/load-more";
import { PageHeader } from "@/app/_ui/page-header";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { SkeletonRows } from "@/app/_ui/skeleton";
import type { ChangeDetail } from "../../_rules/change-detail";
import { comparable, comparedMax, labelsOf, type Label } from "../../_rules/comparable";
import { FileMatrix } from "./file-matrix";
import { Matrix } from "./matrix";
import { PairDiff } from "./pair-diff";

/** The attempts of a Change beside each other: what each is, which files each changes, and how two of them differ. */
export function CompareView({ id }: { id: string }) {
  const api = useApi();
  const query = useQuery(api.change.get.queryOptions({ id }));
  return (
    <QueryState query={query} skeleton={<SkeletonRows rows={8} rowClassName="h-14" />} awaited="the Change">
      {(change) => <Compare change={change} />}
    </QueryState>
  );
}

function Compare({ change }: { change: ChangeDetail }) {
  const attempts = comparable(change.changeSets);
  const labels = labelsOf(attempts, change.tasks);
  return (
    <>
      <PageHeader
        title="Compare attempts"
        crumbs={[
          { label: "Projects", href: "/projects" },
          { label: change.title, href: `/changes/${change.id}` },
        ]}
        meta={
          attempts.length < comparedMax ? undefined : <span>The last {comparedMax} attempts are shown.</span>
        }
      />
      {attempts.length < 2 ? (
        <EmptyState title="There are no two attempts yet">
          As soon as a second attempt has a ChangeSet, the two stand beside each other here.
        </EmptyState>
      ) : (
        <Compared ids={attempts.map((one) => one.id)} labels={labels} />
      )}
    </>
  );
}

function Compared({ ids, labels }: { ids: string[]; labels: readonly Label[] }) {
  const api = useApi();
  const query = useInfiniteQuery(
    api.changeSet.compare.infiniteQueryOptions({ ids }, { getNextPageParam: (page) => page.nextCursor }),
  );
  const [pair, setPair] = useState<[number, number]>([ids.length - 2, ids.length - 1]);
  const [path, setPath] = useState<string | null>(null);
  return (
    <QueryState query={query} skeleton={<SkeletonRows rows={10} />} awaited="the comparison of the attempts">
      {({ pages }) => {
        const [first] = pages;
        if (first === undefined) return null;
        const files = pages.flatMap((page) => page.files);
        return (
          <div className="flex flex-col gap-4">
            <Matrix changeSets={first.changeSets} labels={labels} />
            <Panel title="Files" count={first.filesTotal}>
              <FileMatrix files={files} labels={labels} chosen={path} onChoose={setPath} />
              <LoadMore query={query} shown={files.length} total={first.filesTotal} />
            </Panel>
            <PairDiff
              changeSets={first.changeSets}
              labels={labels}
              pair={pair}
              onPair={setPair}
              path={path}
              onPath={setPath}
            />
          </div>
        );
      }}
    </QueryState>
  );
}

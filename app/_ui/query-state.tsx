"use client";

import { useEffect, useState, type ReactNode } from "react";
import { describeApiError } from "../_client/errors";
import { Button } from "./button";
import { EmptyState } from "./empty-state";
import { ErrorPanel } from "./error-panel";
import { exactTimeWords } from "./relative-time-words";

const slowAfterMs = 3_000;

/** What is needed of a query, whether it reads one thing or page after page. */
export interface ReadQuery<Data> {
  data: Data | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

interface QueryStateProps<Data> {
  query: ReadQuery<Data>;
  /** In the size that the data will have. */
  skeleton: ReactNode;
  /** What is awaited, said when it takes long: "the list of Runs". */
  awaited?: string;
  /** The page is nothing without it, so what went wrong is the page's heading. */
  isPage?: boolean;
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Every state of something that is read: asked for, slow, empty, failed, stale, forbidden, gone, there. */
export function QueryState<Data>(props: QueryStateProps<Data>) {
  const { query, skeleton, awaited = "the server's answer", isPage = false } = props;
  const { isEmpty, empty, children } = props;
  if (query.data === undefined) {
    if (query.isError && !query.isFetching) {
      return <ErrorPanel isPage={isPage} error={query.error} onRetry={() => void query.refetch()} />;
    }
    return <Loading skeleton={skeleton} awaited={awaited} />;
  }
  const content =
    isEmpty?.(query.data) === true
      ? (empty ?? <EmptyState title="There is nothing here" />)
      : children(query.data);
  if (!query.isError) return content;
  return (
    <>
      <StaleNote query={query} />
      {content}
    </>
  );
}

function Loading({ skeleton, awaited }: { skeleton: ReactNode; awaited: string }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className="relative">
      {skeleton}
      <p role="status" className={isSlow ? "absolute inset-x-0 top-2 text-center" : "sr-only"}>
        {isSlow ? (
          <span className="rounded-md border border-line bg-surface px-2 py-1 text-xs text-muted shadow-pop">
            Still waiting for {awaited}
          </span>
        ) : (
          "Loading"
        )}
      </p>
    </div>
  );
}

function StaleNote<Data>({ query }: { query: ReadQuery<Data> }) {
  const { title } = describeApiError(query.error);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-warn-soft px-3 py-1 text-xs text-warn"
    >
      <span>
        {title}. This is what was known at {exactTimeWords(new Date(query.dataUpdatedAt)).slice(11)}.
      </span>
      <Button size="sm" className="ml-auto h-6" busy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}

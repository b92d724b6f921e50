import { describeApiError } from "../_client/errors";
import { Button } from "./button";

interface LoadMoreProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => unknown;
  };
  /** How many there are to be seen now. */
  shown?: number;
  /** How many there are, when that is known. */
  total?: number;
}

/** The end of a list that has more: how much of it is shown, and a button for the next page. */
export function LoadMore({ query, shown, total }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 border-t border-line px-3 py-2 text-xs text-muted">
      {shown === undefined ? null : (
        <span className="tabular-nums">
          Showing {shown}
          {total === undefined ? "; there are more" : ` of ${total}`}
        </span>
      )}
      {query.isFetchNextPageError ? (
        <span role="alert" className="text-bad">
          {describeApiError(query.error).title}
        </span>
      ) : null}
      <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Load more
      </Button>
    </div>
  );
}

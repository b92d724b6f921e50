"use client";

import { CircleX } from "lucide-react";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

export interface PageFailureProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** A page that broke. The text of the failure stays in the server's log, found by the digest. */
export function PageFailure({ error, reset }: PageFailureProps) {
  return (
    <div role="alert">
      <EmptyState
        isPage
        icon={CircleX}
        title="This page could not be shown"
        action={
          <Button variant="primary" onClick={reset}>
            Try again
          </Button>
        }
      >
        {error.digest === undefined ? (
          "Something in this page broke."
        ) : (
          <>
            Something broke on the server. Quote <code className="font-mono text-ink">{error.digest}</code> to
            whoever runs it.
          </>
        )}
      </EmptyState>
    </div>
  );
}

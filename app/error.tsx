"use client";

/** A page that broke. The text of the failure stays in the server's log, found by the digest. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <section role="alert">
      <h1 className="text-lg font-semibold tracking-tight">This page could not be shown</h1>
      <p className="mt-1 text-muted">
        Something broke on the server.
        {error.digest === undefined ? null : (
          <>
            {" "}
            Quote <code className="font-mono text-ink">{error.digest}</code> to whoever runs it.
          </>
        )}
      </p>
      <button
        type="button"
        onClick={reset}
        className="mt-4 rounded-md border border-line bg-surface px-3 py-1.5 font-medium hover:bg-sunken"
      >
        Try again
      </button>
    </section>
  );
}

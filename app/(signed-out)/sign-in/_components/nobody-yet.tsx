/** A new installation: only the link that its start printed leads in. */
export function NobodyYet() {
  return (
    <section aria-labelledby="nobody-title" className="flex flex-col gap-3">
      <h1 id="nobody-title" className="text-lg font-semibold tracking-tight">
        Nobody has an account yet
      </h1>
      <p className="text-muted">
        Open the one-time link that <code className="font-mono text-ink">npm run stack:up</code> printed at
        its end. It makes the first admin, who then invites others.
      </p>
      <p className="text-muted">
        The link lies in <code className="font-mono text-ink">DATA_DIR/first-admin-link</code> too. It holds
        for 24 hours; <code className="font-mono text-ink">npm run stack:up</code> makes a new one.
      </p>
    </section>
  );
}

/** The health panel's shape while the parts are asked. */
export function HealthSkeleton() {
  return (
    <div role="status" aria-label="Asking every part how it is">
      <div className="h-7 w-48 animate-pulse rounded bg-sunken" />
      <div className="mt-4 divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {["database", "engine", "image", "git", "egress"].map((name) => (
          <div key={name} className="flex h-[3.75rem] items-center px-4">
            <div className="h-4 w-40 animate-pulse rounded bg-sunken" />
          </div>
        ))}
      </div>
    </div>
  );
}

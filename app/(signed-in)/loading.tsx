import { Skeleton, SkeletonRows } from "../_ui/skeleton";

/** Any page while the server makes it. */
export default function LoadingPage() {
  return (
    <div role="status" aria-label="Loading the page">
      <Skeleton className="mb-5 h-7 w-64" />
      <div className="rounded-lg border border-line bg-surface">
        <SkeletonRows rows={6} />
      </div>
    </div>
  );
}

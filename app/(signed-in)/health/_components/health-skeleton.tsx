import { Skeleton } from "@/app/_ui/skeleton";

/** The health panel's shape while the parts are asked. */
export function HealthSkeleton() {
  return (
    <div className="divide-y divide-line">
      {["database", "engine", "image", "git", "egress"].map((name) => (
        <div key={name} className="flex h-[4rem] items-center px-4">
          <Skeleton className="w-40" />
        </div>
      ))}
    </div>
  );
}

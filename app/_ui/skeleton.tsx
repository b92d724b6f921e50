import { cn } from "./class-names";

/** The place of something that is still asked for, in the size that it will have. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn("h-4 animate-pulse rounded bg-line/60", className)} />;
}

interface SkeletonRowsProps {
  rows?: number;
  /** The height of one row, such as "h-10". */
  rowClassName?: string;
}

export function SkeletonRows({ rows = 4, rowClassName = "h-10" }: SkeletonRowsProps) {
  return (
    <div aria-hidden="true" className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={cn("flex items-center gap-3 px-3", rowClassName)}>
          <Skeleton className={row % 2 === 0 ? "w-2/5" : "w-1/3"} />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}

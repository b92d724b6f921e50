import { useId, type ReactNode } from "react";
import { cn } from "./class-names";

interface PanelProps {
  title: string;
  count?: number | string;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One subject of a page, with its title. What is inside decides its own padding. */
export function Panel({ title, count, actions, className, children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className={cn("min-w-0 rounded-lg border border-line bg-surface", className)}
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1">
        <h2 id={titleId} className="text-sm font-semibold">
          {title}
        </h2>
        {count === undefined ? null : <span className="text-xs text-muted tabular-nums">{count}</span>}
        {actions === undefined ? null : (
          <div className="ml-auto flex max-w-full min-w-0 flex-wrap items-center gap-1.5">{actions}</div>
        )}
      </div>
      {children}
    </section>
  );
}

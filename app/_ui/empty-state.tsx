import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  /** Why there is nothing. */
  title: string;
  /** What would change that. */
  children?: ReactNode;
  action?: ReactNode;
  icon?: LucideIcon;
  /** It stands for a whole page, whose heading is its title. */
  isPage?: boolean;
}

export function EmptyState({ title, children, action, icon: Icon, isPage = false }: EmptyStateProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className="flex flex-col items-center gap-1 px-4 py-8 text-center">
      {Icon === undefined ? null : <Icon className="mb-1 size-5 text-muted" aria-hidden="true" />}
      <Title className="font-medium">{title}</Title>
      {children === undefined ? null : <div className="max-w-prose text-sm text-muted">{children}</div>}
      {action === undefined ? null : <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

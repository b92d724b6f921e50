import { ChevronRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { UntrustedText } from "./untrusted-text";

interface PageHeaderProps {
  /** Shown as text from who knows whom. */
  title: string;
  /** The way down to here, this page left out. */
  crumbs?: readonly { label: string; href: string }[];
  /** States and facts under the title. */
  meta?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, crumbs = [], meta, actions }: PageHeaderProps) {
  return (
    <header className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        {crumbs.length === 0 ? null : (
          <nav aria-label="Breadcrumb" className="mb-0.5">
            <ol className="flex flex-wrap items-center gap-x-1 text-xs text-muted">
              {crumbs.map((crumb) => (
                <li key={crumb.href} className="inline-flex min-w-0 items-center gap-1">
                  <Link href={crumb.href} className="min-w-0 wrap-anywhere hover:text-ink hover:underline">
                    <UntrustedText text={crumb.label} />
                  </Link>
                  <ChevronRight className="size-3 shrink-0" aria-hidden="true" />
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">
          <UntrustedText text={title} />
        </h1>
        {meta === undefined ? null : (
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">{meta}</div>
        )}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

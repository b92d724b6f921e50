"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "@/app/_ui/class-names";

const pages = [
  { href: "/settings/general", label: "General" },
  { href: "/settings/egress", label: "Egress" },
  { href: "/settings/people", label: "People" },
  { href: "/settings/tokens", label: "Tokens" },
  { href: "/settings/audit", label: "Audit" },
];

export function SettingsTabs() {
  const path = usePathname();
  return (
    <nav aria-label="Settings" className="flex gap-1 overflow-x-auto border-b border-line">
      {pages.map(({ href, label }) => {
        const isCurrent = path.startsWith(href);
        return (
          <Link
            key={href}
            href={href}
            aria-current={isCurrent ? "page" : undefined}
            className={cn(
              "-mb-px border-b-2 px-3 py-2 text-sm",
              isCurrent
                ? "border-accent font-medium text-ink"
                : "border-transparent text-muted hover:text-ink",
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

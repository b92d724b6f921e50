"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useSession } from "@/app/_client/session";
import { cn } from "@/app/_ui/class-names";
import { isCurrent, navLinks } from "./nav-links";

interface NavListProps {
  direction: "row" | "column";
  onFollow?: () => void;
}

/** The pages that everything else is reached from; the one that is shown is marked. */
export function NavList({ direction, onFollow }: NavListProps) {
  const pathname = usePathname();
  const { can } = useSession();
  return (
    <ul className={cn("flex gap-0.5", direction === "column" && "flex-col")}>
      {navLinks
        .filter(({ isForAdmins }) => !isForAdmins || can("admin"))
        .map((link) => {
          const current = isCurrent(link, pathname);
          return (
            <li key={link.href}>
              <Link
                href={link.href}
                {...(onFollow === undefined ? {} : { onClick: onFollow })}
                aria-current={current ? "page" : undefined}
                className={cn(
                  "flex h-8 items-center gap-2 rounded-md px-2.5 text-sm",
                  direction === "column" && "h-10 px-3",
                  current ? "bg-sunken font-medium text-ink" : "text-muted hover:bg-sunken hover:text-ink",
                )}
              >
                <link.icon className="size-4 shrink-0" aria-hidden="true" />
                {link.label}
              </Link>
            </li>
          );
        })}
    </ul>
  );
}

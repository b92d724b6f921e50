"use client";

import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useSession } from "@/app/_client/session";
import { cn } from "@/app/_ui/class-names";
import { Mark } from "@/app/_ui/mark";
import { useShortcuts } from "@/app/_ui/shortcuts";
import { Drawer } from "./drawer";
import { HealthMark } from "./health-mark";
import { LiveMark, LostNote } from "./live-mark";
import { MiniMeter } from "./mini-meter";
import { navLinks } from "./nav-links";
import { NavList } from "./nav-list";
import { UserMenu } from "./user-menu";

/** What stands around every page of somebody who is signed in. */
export function Shell({ children }: { children: ReactNode }) {
  useNavigationKeys();
  const pathname = usePathname();
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-surface focus:px-3 focus:py-1.5 focus:shadow-pop"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-3 sm:px-5">
        <Drawer />
        <Link href="/" className="flex items-center gap-2 rounded-md pr-2 font-semibold tracking-tight">
          <Mark />
          <span className="max-[24rem]:sr-only">Rhumbatron</span>
        </Link>
        <nav aria-label="Main" className="hidden lg:block">
          <NavList direction="row" />
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <div className="hidden md:block">
            <MiniMeter />
          </div>
          <HealthMark className="hidden md:inline-flex" />
          <LiveMark />
          <UserMenu />
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={cn(
          "w-full min-w-0 outline-none",
          !isFullBleed(pathname) && "mx-auto max-w-7xl px-3 py-4 sm:px-5 sm:py-5",
        )}
      >
        {children}
      </main>
      <LostNote />
    </>
  );
}

/** A review needs every column that the window has. */
function isFullBleed(pathname: string): boolean {
  return pathname.startsWith("/change-sets/");
}

function useNavigationKeys(): void {
  const router = useRouter();
  const { can } = useSession();
  useShortcuts(
    "Go to",
    navLinks.map(({ href, label, keys, isForAdmins }) => ({
      keys,
      label,
      run: () => router.push(href),
      enabled: !isForAdmins || can("admin"),
    })),
  );
}

import Link from "next/link";
import { Mark } from "../../_ui/mark";

export function AppHeader() {
  return (
    <header className="border-b border-line bg-surface">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:bg-surface focus:px-3 focus:py-1.5"
      >
        Skip to content
      </a>
      <div className="mx-auto flex h-12 w-full max-w-5xl items-center px-4 sm:px-6">
        <Link href="/" className="flex items-center gap-2 font-semibold tracking-tight">
          <Mark />
          Rhumbatron
        </Link>
      </div>
    </header>
  );
}

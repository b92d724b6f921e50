import Link from "next/link";

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

/** Four slots of a Change, one of them taken. */
function Mark() {
  return (
    <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
      <rect x="1" y="1" width="8" height="8" rx="2" className="fill-accent" />
      <rect
        x="11.75"
        y="1.75"
        width="6.5"
        height="6.5"
        rx="1.5"
        className="fill-none stroke-muted"
        strokeWidth="1.5"
      />
      <rect
        x="1.75"
        y="11.75"
        width="6.5"
        height="6.5"
        rx="1.5"
        className="fill-none stroke-muted"
        strokeWidth="1.5"
      />
      <rect
        x="11.75"
        y="11.75"
        width="6.5"
        height="6.5"
        rx="1.5"
        className="fill-none stroke-muted"
        strokeWidth="1.5"
      />
    </svg>
  );
}

import type { ReactNode } from "react";
import { Mark } from "../_ui/mark";

/** What is seen before a sign-in: one narrow column. */
export default function SignedOutLayout({ children }: { children: ReactNode }) {
  return (
    <main id="content" className="mx-auto flex min-h-dvh w-full max-w-sm flex-col px-4 pt-[12vh] pb-8">
      <p className="mb-6 flex items-center gap-2 font-semibold tracking-tight">
        <Mark />
        Rhumbatron
      </p>
      {children}
    </main>
  );
}

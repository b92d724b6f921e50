import type { ReactNode } from "react";
import { requireSession } from "../_session/require-session";
import { AppHeader } from "./_components/app-header";

/** Everything behind a sign-in. */
export default async function SignedInLayout({ children }: { children: ReactNode }) {
  await requireSession();
  return (
    <>
      <AppHeader />
      <main id="content" className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-6 sm:py-8">
        {children}
      </main>
    </>
  );
}

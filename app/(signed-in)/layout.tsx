import type { ReactNode } from "react";
import { LiveUpdates } from "../_client/live-updates";
import { SessionProvider } from "../_client/session";
import { requireSession } from "../_session/require-session";
import { Shell } from "./_components/shell/shell";

/** Everything behind a sign-in. */
export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const me = await requireSession();
  return (
    <SessionProvider initial={me}>
      <LiveUpdates>
        <Shell>{children}</Shell>
      </LiveUpdates>
    </SessionProvider>
  );
}

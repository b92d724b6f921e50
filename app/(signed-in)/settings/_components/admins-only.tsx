"use client";

import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { useSession } from "@/app/_client/session";
import { LinkButton } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";

/** Says so where the role of whoever looks does not reach. The server decides anew on every call. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { can, role } = useSession();
  if (can("admin")) return children;
  return (
    <EmptyState
      title="This is for admins"
      icon={Lock}
      action={<LinkButton href="/">To the start page</LinkButton>}
    >
      You are signed in as a {role}. An admin can change that under Settings, People.
    </EmptyState>
  );
}

import { SearchX } from "lucide-react";
import { EmptyState } from "./empty-state";
import { LinkButton } from "./button";

/** An address that leads nowhere. */
export function NothingHere() {
  return (
    <EmptyState
      isPage
      icon={SearchX}
      title="There is nothing here"
      action={<LinkButton href="/">To the start page</LinkButton>}
    >
      The address is wrong, or what was here is gone.
    </EmptyState>
  );
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Keyboard, LogOut, User } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApiClient } from "@/app/_client/api-provider";
import { chooseScheme, readScheme, type Scheme } from "@/app/_client/color-scheme";
import { describeApiError } from "@/app/_client/errors";
import { useSession } from "@/app/_client/session";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/app/_ui/menu";
import { useShortcutHelp } from "@/app/_ui/shortcuts";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";

const schemes: readonly { value: Scheme; label: string }[] = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function UserMenu() {
  const { actor, role } = useSession();
  const showHelp = useShortcutHelp();
  const signOut = useSignOut();
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`${actor.name}: account and appearance`}
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-full border border-line bg-sunken text-xs font-semibold text-muted uppercase hover:text-ink"
        >
          <span aria-hidden="true">{initialOf(actor.name)}</span>
        </button>
      }
    >
      <MenuLabel>
        <UntrustedText text={actor.name} className="block text-sm font-medium text-ink" />
        {role}
        {actor.kind === "token" ? ", by a token" : ""}
      </MenuLabel>
      <MenuSeparator />
      {actor.kind === "person" ? (
        <MenuLink>
          <Link href="/account">
            <User className="size-4 shrink-0" aria-hidden="true" />
            Account
          </Link>
        </MenuLink>
      ) : null}
      <MenuItem icon={Keyboard} onSelect={showHelp}>
        Keys
      </MenuItem>
      <MenuSeparator />
      <SchemeChoice />
      {actor.kind === "person" ? (
        <>
          <MenuSeparator />
          <MenuItem icon={LogOut} onSelect={() => void signOut()}>
            Sign out
          </MenuItem>
        </>
      ) : null}
    </Menu>
  );
}

function SchemeChoice() {
  // The menu is drawn when it is opened, in the browser.
  const [scheme, setScheme] = useState(readScheme);
  return (
    <MenuChoice
      label="Colours"
      value={scheme}
      options={schemes}
      onValueChange={(next) => {
        chooseScheme(next);
        setScheme(next);
      }}
    />
  );
}

function useSignOut(): () => Promise<void> {
  const client = useApiClient();
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  return async () => {
    try {
      await client.user.signOut.mutate();
      // Nothing of what was seen stays in the browser's memory.
      queryClient.clear();
      router.replace("/sign-in");
    } catch (error) {
      toast({ title: describeApiError(error).message, tone: "bad" });
    }
  };
}

function initialOf(name: string): string {
  return [...name.trim()][0] ?? "?";
}

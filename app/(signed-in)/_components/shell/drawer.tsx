"use client";

import { Menu as MenuIcon, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { HealthMark } from "./health-mark";
import { MiniMeter } from "./mini-meter";
import { NavList } from "./nav-list";

/** The navigation where there is no room for it beside the title. */
export function Drawer() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label="Navigation"
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink lg:hidden"
      >
        <MenuIcon className="size-5" aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col gap-3 border-r border-line bg-surface p-3 shadow-pop outline-none"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="px-1 text-sm font-semibold">Navigation</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </Dialog.Close>
          </div>
          <nav aria-label="Main">
            <NavList direction="column" onFollow={() => setOpen(false)} />
          </nav>
          <div
            className="mt-auto flex flex-col items-start gap-1 border-t border-line pt-3"
            onClick={() => setOpen(false)}
          >
            <MiniMeter />
            <HealthMark />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

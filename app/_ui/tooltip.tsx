"use client";

import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** A few words about what is under the pointer or in focus. Nothing that has to be read may stand only here. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-md bg-ink px-2 py-1 text-xs wrap-anywhere text-canvas shadow-pop"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}

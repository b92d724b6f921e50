"use client";

import { Popover as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cn } from "./class-names";

interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** What it is about, for who cannot see where it opened. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
  className?: string;
  children: ReactNode;
}

/** A small surface beside what opened it, with controls or facts. */
export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = "start",
  className,
  children,
}: PopoverProps) {
  return (
    <Radix.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cn(
            "z-50 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-surface p-3 shadow-pop outline-none",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

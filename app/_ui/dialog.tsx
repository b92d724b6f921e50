"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./class-names";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Its buttons, the main one last. */
  footer?: ReactNode;
  /** False where a click beside it would throw away what somebody typed. */
  closesOnOutsideClick?: boolean;
  children?: ReactNode;
  className?: string;
}

/** What has to be answered before going on. Its body scrolls; title and buttons stay. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, footer, children, className } = props;
  const { closesOnOutsideClick = true } = props;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onInteractOutside={(event) => {
            if (!closesOnOutsideClick) event.preventDefault();
          }}
          className={cn(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-1.5rem)] max-w-lg flex-col",
            "-translate-x-1/2 -translate-y-1/2 rounded-lg border border-line bg-surface shadow-pop outline-none",
            className,
          )}
        >
          <div className="flex items-start gap-3 px-4 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold tracking-tight wrap-anywhere">
                {title}
              </Radix.Title>
              {description === undefined ? null : (
                <Radix.Description asChild>
                  <div className="mt-1 text-muted">{description}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label="Close"
              className="-mt-1 -mr-1 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-2">{children}</div>
          {footer === undefined ? null : (
            <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3">
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

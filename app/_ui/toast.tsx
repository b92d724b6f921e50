"use client";

import { CircleCheck, CircleX, Info, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from "react";
import { cn } from "./class-names";

const shownMs = 6_000;
const withActionShownMs = 12_000;

interface ToastInput {
  title: string;
  tone?: "neutral" | "good" | "bad";
  /** What can be done about it, such as taking it back. */
  action?: { label: string; run: () => void };
}

interface ShownToast extends ToastInput {
  id: number;
}

const ToastContext = createContext<((toast: ToastInput) => void) | null>(null);

/** Says shortly that something happened. What has to be acted on stands in the page instead. */
export function useToast(): (toast: ToastInput) => void {
  const toast = useContext(ToastContext);
  if (toast === null) throw new Error("useToast stands outside of ToastProvider.");
  return toast;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([]);
  const nextId = useRef(0);
  const show = useCallback((toast: ToastInput) => {
    nextId.current += 1;
    const id = nextId.current;
    setToasts((shown) => [...shown.slice(-2), { ...toast, id }]);
  }, []);
  return (
    <ToastContext value={show}>
      <Radix.Provider label="Notice" swipeDirection="right">
        {children}
        {toasts.map((toast) => (
          <ToastBox
            key={toast.id}
            toast={toast}
            onClosed={() => setToasts((shown) => shown.filter(({ id }) => id !== toast.id))}
          />
        ))}
        <Radix.Viewport className="fixed right-0 bottom-0 z-60 flex w-96 max-w-full flex-col gap-2 p-3 outline-none" />
      </Radix.Provider>
    </ToastContext>
  );
}

const icons = { neutral: Info, good: CircleCheck, bad: CircleX };
const colors = { neutral: "text-muted", good: "text-good", bad: "text-bad" };

function ToastBox({ toast, onClosed }: { toast: ShownToast; onClosed: () => void }) {
  const tone = toast.tone ?? "neutral";
  const Icon = icons[tone];
  const { action } = toast;
  return (
    <Radix.Root
      type={tone === "bad" ? "foreground" : "background"}
      duration={action === undefined ? shownMs : withActionShownMs}
      onOpenChange={(open) => {
        if (!open) onClosed();
      }}
      className="flex items-center gap-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-3 shadow-pop"
    >
      <Icon className={cn("size-4 shrink-0", colors[tone])} aria-hidden="true" />
      <Radix.Title className="min-w-0 flex-1 text-sm wrap-anywhere">{toast.title}</Radix.Title>
      {action === undefined ? null : (
        <Radix.Action
          altText={action.label}
          onClick={action.run}
          className="h-7 shrink-0 rounded-md px-2 text-xs font-medium text-accent hover:bg-sunken"
        >
          {action.label}
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Dismiss"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
      >
        <X className="size-3.5" aria-hidden="true" />
      </Radix.Close>
    </Radix.Root>
  );
}

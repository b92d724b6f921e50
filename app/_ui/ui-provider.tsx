"use client";

import type { ReactNode } from "react";
import { ShortcutProvider } from "./shortcuts";
import { ToastProvider } from "./toast";

/** What the widgets need around them, once for the whole page. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <ToastProvider>
      <ShortcutProvider>{children}</ShortcutProvider>
    </ToastProvider>
  );
}

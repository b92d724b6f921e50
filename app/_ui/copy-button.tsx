"use client";

import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button";

const shownMs = 2_000;

interface CopyButtonProps {
  text: string;
  /** What is copied, such as "Copy the commit". */
  label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);

  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed"); // The page is not on a secure address, or the browser was told not to.
    }
  }

  const word =
    outcome === "copied" ? "Copied" : outcome === "failed" ? "The browser did not allow it" : label;
  const icon = outcome === "copied" ? Check : outcome === "failed" ? X : Copy;
  return (
    <span className="inline-flex">
      <IconButton size="sm" label={word} icon={icon} onClick={() => void copy()} />
      <span className="sr-only" aria-live="polite">
        {outcome === null ? "" : word}
      </span>
    </span>
  );
}

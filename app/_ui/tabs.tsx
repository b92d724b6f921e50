"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface TabsProps<Value extends string> {
  label: string;
  items: readonly { value: Value; label: string; count?: number }[];
  value: Value;
  onValueChange: (value: Value) => void;
  /** What the chosen tab shows. */
  children?: ReactNode;
}

export function Tabs<Value extends string>({
  label,
  items,
  value,
  onValueChange,
  children,
}: TabsProps<Value>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => {
        const chosen = items.find((item) => item.value === next);
        if (chosen !== undefined) onValueChange(chosen.value);
      }}
    >
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {items.map((item) => (
          <Radix.Trigger
            key={item.value}
            value={item.value}
            className="-mb-px inline-flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-sm text-muted -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {item.label}
            {item.count === undefined ? null : (
              <span className="rounded-full bg-sunken px-1.5 text-xs text-muted tabular-nums">
                {item.count}
              </span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {/* Every tab needs a panel that it controls; only the chosen one is filled. */}
      {items.map((item) => (
        <Radix.Content key={item.value} value={item.value} className="-outline-offset-2">
          {item.value === value ? children : null}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

"use client";

import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cn } from "./class-names";

const itemLooks =
  "flex min-h-8 w-full items-center gap-2 rounded px-2 py-1 text-sm outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-muted data-highlighted:bg-sunken";

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  align?: "start" | "end";
  /** It is made because its button was pressed. */
  startsOpen?: boolean;
  children: ReactNode;
}

/** Acts that are needed now and then, behind one button. */
export function Menu({ trigger, align = "end", startsOpen = false, children }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen={startsOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-pop outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  onSelect: () => void;
  icon?: LucideIcon;
  tone?: "default" | "danger";
  disabled?: boolean;
  children: ReactNode;
}

export function MenuItem({
  onSelect,
  icon: Icon,
  tone = "default",
  disabled = false,
  children,
}: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={disabled}
      className={cn(itemLooks, tone === "danger" && "text-bad data-highlighted:bg-bad-soft")}
    >
      {Icon === undefined ? null : <Icon className="size-4 shrink-0" aria-hidden="true" />}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </Radix.Item>
  );
}

/** An item that is a link: `children` is the link itself. */
export function MenuLink({ children }: { children: ReactElement }) {
  return (
    <Radix.Item asChild className={itemLooks}>
      {children}
    </Radix.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
}

/** One of a few values, chosen inside a menu; the menu stays open. */
export function MenuChoice<Value extends string>({
  label,
  value,
  onValueChange,
  options,
}: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} aria-label={label}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => {
            event.preventDefault();
            onValueChange(option.value);
          }}
          className={itemLooks}
        >
          <span className="inline-flex size-4 shrink-0 items-center justify-center">
            <Radix.ItemIndicator>
              <Check className="size-4 text-accent" aria-hidden="true" />
            </Radix.ItemIndicator>
          </span>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-xs text-muted">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="mx-1 my-1 h-px bg-line" />;
}

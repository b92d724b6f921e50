"use client";

import { ChevronDown } from "lucide-react";
import { cn } from "./class-names";
import { useFieldProps } from "./field";
import { nameHiddenCharacters } from "./hidden-characters";

interface SelectProps<Value extends string> {
  /** What is chosen, for who cannot see where it stands. Inside a field, the field's label is used too. */
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  disabled?: boolean;
  className?: string;
}

/** One of a few values. The browser's own list: it is the one that people and their devices know best. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, onValueChange, options, disabled = false, className } = props;
  const field = useFieldProps();
  return (
    <span className={cn("relative inline-flex min-w-0 max-w-full", className)}>
      <select
        {...field}
        {...(field.id === undefined ? { "aria-label": label } : {})}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onValueChange(chosen.value);
        }}
        className="h-8 w-full min-w-0 appearance-none truncate rounded-md border border-edge bg-surface py-0 pr-8 pl-2.5 text-sm hover:bg-sunken disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {nameHiddenCharacters(option.label, "line")}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-2 right-2.5 size-4 text-muted"
        aria-hidden="true"
      />
    </span>
  );
}

"use client";

import { Switch as RadixSwitch } from "radix-ui";
import { createContext, useContext, useId, type ComponentProps, type ReactNode } from "react";
import { cn } from "./class-names";

interface FieldIds {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

const FieldContext = createContext<FieldIds | null>(null);

/** What the control inside a field sets on itself, so that label, hint and fault belong to it. */
export function useFieldProps(): { id?: string; "aria-describedby"?: string; "aria-invalid"?: true } {
  const field = useContext(FieldContext);
  if (field === null) return {};
  return {
    id: field.id,
    ...(field.describedBy === undefined ? {} : { "aria-describedby": field.describedBy }),
    ...(field.invalid ? { "aria-invalid": true as const } : {}),
  };
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with what stands in it, in words. */
  error?: ReactNode;
  children: ReactNode;
}

/** One control with its label, its hint, and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const hasHint = hint !== undefined && hint !== null;
  const hasError = error !== undefined && error !== null && error !== "";
  const describedBy = [hasHint ? `${id}-hint` : "", hasError ? `${id}-error` : ""].filter(
    (part) => part !== "",
  );
  return (
    <FieldContext
      value={{
        id,
        describedBy: describedBy.length === 0 ? undefined : describedBy.join(" "),
        invalid: hasError,
      }}
    >
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {children}
        {hasHint ? (
          <div id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </div>
        ) : null}
        {hasError ? (
          <div id={`${id}-error`} role="alert" className="text-xs font-medium text-bad wrap-anywhere">
            {error}
          </div>
        ) : null}
      </div>
    </FieldContext>
  );
}

export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input
      type="text"
      {...useFieldProps()}
      {...rest}
      className={cn(
        "h-8 w-full min-w-0 rounded-md border border-edge bg-surface px-2.5 text-sm placeholder:text-muted",
        "disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted aria-invalid:border-bad",
        className,
      )}
    />
  );
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={4}
      {...useFieldProps()}
      {...rest}
      className={cn(
        "block w-full min-w-0 rounded-md border border-edge bg-surface px-2.5 py-1.5 text-sm placeholder:text-muted",
        "disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted aria-invalid:border-bad",
        className,
      )}
    />
  );
}

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  className?: string;
}

export function Checkbox({ label, checked, onCheckedChange, disabled = false, className }: CheckboxProps) {
  return (
    <label className={cn("inline-flex items-center gap-2 text-sm", disabled && "text-muted", className)}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">{label}</span>
    </label>
  );
}

interface SwitchProps {
  label: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** For what takes effect at once; a form uses a checkbox. */
export function Switch({ label, checked, onCheckedChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2 text-sm">
      <RadixSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        className="h-5 w-9 shrink-0 rounded-full border border-edge bg-sunken px-0.5 disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="block size-3.5 rounded-full bg-edge transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </RadixSwitch.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

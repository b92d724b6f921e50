import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./class-names";
import { Tooltip } from "./tooltip";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** What it does, for who cannot see the icon and on hover. */
  label: string;
  icon: LucideIcon;
  size?: "sm" | "md";
}

export function IconButton({ label, icon: Icon, size = "md", className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cn(
          "inline-flex shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink",
          "disabled:cursor-not-allowed disabled:opacity-50 aria-pressed:bg-accent-soft aria-pressed:text-accent",
          size === "sm" ? "size-6" : "size-8",
          className,
        )}
      >
        <Icon className={size === "sm" ? "size-3.5" : "size-4"} aria-hidden="true" />
      </button>
    </Tooltip>
  );
}

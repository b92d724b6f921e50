import { LoaderCircle } from "lucide-react";
import Link from "next/link";
import type { ComponentProps } from "react";
import { cn } from "./class-names";

type ButtonVariant = "primary" | "default" | "danger" | "ghost";
type ButtonSize = "sm" | "md";

const variants: Record<ButtonVariant, string> = {
  primary: "border-accent bg-accent text-on-accent hover:brightness-110",
  default: "border-line bg-surface text-ink hover:bg-sunken",
  danger: "border-bad bg-bad text-on-accent hover:brightness-110",
  ghost: "border-transparent bg-transparent text-muted hover:bg-sunken hover:text-ink",
};

const sizes: Record<ButtonSize, string> = {
  sm: "h-7 gap-1.5 px-2 text-xs",
  md: "h-8 gap-2 px-3 text-sm",
};

/** How everything looks that is pressed like a button, a link included. */
function buttonLooks(variant: ButtonVariant, size: ButtonSize, className?: string): string {
  return cn(
    "inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap select-none",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50",
    "[&_svg]:size-4 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
    className,
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Its act is under way: it cannot be pressed again, and keeps the focus. */
  busy?: boolean;
}

export function Button({
  variant = "default",
  size = "md",
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={buttonLooks(variant, size, className)}
    >
      {busy ? <LoaderCircle className="animate-spin" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

interface LinkButtonProps extends ComponentProps<typeof Link> {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

/** A link that looks like a button, for what leads to another page. */
export function LinkButton({ variant = "default", size = "md", className, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={buttonLooks(variant, size, className)} />;
}

import { CircleX, Lock, SearchX } from "lucide-react";
import Link from "next/link";
import { describeApiError, isGone } from "../_client/errors";
import { Button } from "./button";

interface ErrorPanelProps {
  error: unknown;
  onRetry?: () => void;
  busy?: boolean;
  /** It stands for a whole page, whose heading is its title. */
  isPage?: boolean;
}

/** Why something could not be shown, and what to do about it. Other panels of the page live on. */
export function ErrorPanel({ error, onRetry, busy = false, isPage = false }: ErrorPanelProps) {
  const { title, message, domainCode, correlationId } = describeApiError(error);
  const isFinal = domainCode === "auth.forbidden" || isGone(domainCode);
  const Title = isPage ? "h1" : "p";
  const Icon = domainCode === "auth.forbidden" ? Lock : isGone(domainCode) ? SearchX : CircleX;
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-4 py-8 text-center">
      <Icon className={isFinal ? "mb-1 size-5 text-muted" : "mb-1 size-5 text-bad"} aria-hidden="true" />
      <Title className="font-medium">{title}</Title>
      <p className="max-w-prose text-sm wrap-anywhere text-muted">{message}</p>
      {correlationId === undefined ? null : (
        <p className="text-xs text-muted">
          Request <code className="font-mono text-ink">{correlationId}</code>
        </p>
      )}
      <div className="mt-3 flex gap-2 empty:hidden">
        {domainCode === "auth.required" ? (
          <Link href="/sign-in" className="text-accent underline underline-offset-2">
            Sign in
          </Link>
        ) : isFinal || onRetry === undefined ? null : (
          <Button size="sm" busy={busy} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

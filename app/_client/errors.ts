import { TRPCClientError } from "@trpc/client";

export interface ApiErrorView {
  title: string;
  /** The plain cause, fit for a person. */
  message: string;
  /** Null when the server did not answer in its own words. */
  domainCode: string | null;
  /** What to quote to whoever runs the server, when its log has more. */
  correlationId?: string;
}

const titles: Record<string, string> = {
  "auth.required": "You are not signed in",
  "auth.forbidden": "Your role may not see or do this",
  "input.invalid": "This cannot be accepted",
  "conflict.stale": "It changed meanwhile",
  "conflict.idempotency": "This was sent before with other content",
  "run.ended": "The Run has ended",
  "run.busy": "The Run is busy",
  "git.unavailable": "The git service does not answer",
  "sandbox.engine_unavailable": "The container engine does not answer",
  "sandbox.image_missing": "The sandbox image is missing",
  "limit.rate": "Too many requests",
  "limit.size": "This is too large",
  internal: "Something broke on the server",
};

/** What to tell a person about a failed call. */
export function describeApiError(error: unknown): ApiErrorView {
  const data = dataOf(error);
  if (data === null) {
    return {
      title: "The server does not answer",
      message: "The connection was lost, or the server is being started.",
      domainCode: null,
    };
  }
  const correlationId = data.details["correlationId"];
  return {
    title:
      titles[data.domainCode] ?? (isGone(data.domainCode) ? "There is nothing here" : "This did not work"),
    message: error instanceof Error ? error.message : "It did not say why.",
    domainCode: data.domainCode,
    ...(typeof correlationId === "string" ? { correlationId } : {}),
  };
}

/** Whether what was asked for does not exist, or not for who asks. */
export function isGone(domainCode: string | null): boolean {
  return domainCode?.endsWith(".not_found") ?? false;
}

function dataOf(error: unknown): { domainCode: string; details: Record<string, unknown> } | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data: unknown = error.data;
  if (typeof data !== "object" || data === null) return null;
  const { domainCode, details } = data as Record<string, unknown>;
  if (typeof domainCode !== "string") return null;
  return { domainCode, details: typeof details === "object" && details !== null ? { ...details } : {} };
}

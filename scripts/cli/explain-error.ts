import { TRPCClientError } from "@trpc/client";
import { describeError } from "../../server/platform/errors";
import { OperatorError, systemErrorCode } from "../stack/operator-error";

/** One clear sentence for whatever a command threw, with the code that scripts may branch on where there is one. */
export function explainError(error: unknown, baseUrl: string): string {
  if (error instanceof OperatorError) return error.message;
  const code = domainCodeOf(error);
  if (code !== null && error instanceof Error) return `${error.message} (${code})`;
  return explainUnreachable(error, baseUrl);
}

/** The code that an answer of the API carries; null for every other error. */
export function domainCodeOf(error: unknown): string | null {
  const data: unknown = error instanceof TRPCClientError ? error.data : null;
  const hasCode = typeof data === "object" && data !== null && "domainCode" in data;
  return hasCode && typeof data.domainCode === "string" ? data.domainCode : null;
}

/** fetch hides what went wrong on the wire in the causes of its error. */
function explainUnreachable(error: unknown, baseUrl: string): string {
  let innermost = error;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = systemErrorCode(at);
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR")
      return `A local file cannot be used: ${describeError(at)}.`;
    if (code === "ERR_INVALID_URL") return `${baseUrl} is not an address: set PUBLIC_URL or PORT right.`;
    if (code !== null) return `Nothing answers at ${baseUrl} (${code}): \`npm run stack:up\` starts it.`;
    innermost = at;
  }
  return `${baseUrl} gave an answer that was not understood: ${describeError(innermost)}`;
}

import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { DomainError, type DomainCode } from "../platform/errors";
import type { ApiDeps } from "./context";

type TrpcCode = TRPCError["code"];

const trpcCodes: Record<number, TrpcCode> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
};

/**
 * Turns whatever was thrown into the error that a caller may see. Idempotent. A failure that nobody named becomes
 * `internal` with a correlation id; its text goes to the log under that id and nowhere else.
 */
export function toTrpcError(error: unknown, deps: Pick<ApiDeps, "ids" | "logger">): TRPCError {
  const domainError = toDomainError(error, deps);
  return new TRPCError({
    code: trpcCodes[domainError.httpStatus] ?? "INTERNAL_SERVER_ERROR",
    message: domainError.message,
    cause: domainError,
  });
}

function toDomainError(error: unknown, deps: Pick<ApiDeps, "ids" | "logger">): DomainError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
  if (cause instanceof DomainError) return cause;
  if (cause instanceof ZodError && isInputFault(error)) return inputError(cause);
  if (error instanceof TRPCError && clientFaults.has(error.code)) {
    return new DomainError(codeOfClientFault(error.code), describeClientFault(error), {}, { cause });
  }
  const correlationId = deps.ids.uuid();
  deps.logger.error({ err: cause, correlationId }, "a request failed");
  return new DomainError(
    "internal",
    `Something broke here. Quote ${correlationId} to whoever runs this server.`,
    {
      correlationId,
    },
  );
}

/** A schema that an answer of ours fails is our fault, and internal; only an input's fault is the caller's. */
function isInputFault(error: unknown): boolean {
  return error instanceof TRPCError && error.code === "BAD_REQUEST";
}

function inputError(error: ZodError): DomainError {
  const faults = error.issues.map((issue) => ({ field: issue.path.join("."), message: issue.message }));
  const text = faults
    .map((fault) => (fault.field === "" ? fault.message : `${fault.field}: ${fault.message}`))
    .join("; ");
  return new DomainError("input.invalid", text, { faults });
}

const clientFaults: ReadonlySet<TrpcCode> = new Set<TrpcCode>([
  "PARSE_ERROR",
  "BAD_REQUEST",
  "NOT_FOUND",
  "METHOD_NOT_SUPPORTED",
  "UNSUPPORTED_MEDIA_TYPE",
  "PAYLOAD_TOO_LARGE",
]);

function codeOfClientFault(code: TrpcCode): DomainCode {
  if (code === "NOT_FOUND") return "procedure.not_found";
  return code === "PAYLOAD_TOO_LARGE" ? "limit.size" : "input.invalid";
}

/** What the library found wrong with a request before any procedure saw it; it repeats the request's own words only. */
function describeClientFault({ code, message, cause }: TRPCError): string {
  if (code === "NOT_FOUND") return `${message}. docs/schemas/api.json lists them all.`;
  if (code === "METHOD_NOT_SUPPORTED" || /^Unsupported [A-Z]+-request/.test(message)) {
    return `${message}. Queries are GET with ?input=<JSON>, mutations are POST with the input as JSON body.`;
  }
  const found = cause instanceof SyntaxError ? `The input is not JSON: ${cause.message}` : message;
  return `${found.slice(0, 300)}.`;
}

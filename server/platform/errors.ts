/**
 * Every code that a caller may branch on, with the HTTP status it travels under and whether asking again later
 * can succeed without anybody changing anything. A code without a row does not compile.
 */
const registry = {
  "auth.required": { httpStatus: 401, retryable: false },
  "auth.forbidden": { httpStatus: 403, retryable: false },
  "input.invalid": { httpStatus: 400, retryable: false },
  "procedure.not_found": { httpStatus: 404, retryable: false },
  "project.not_found": { httpStatus: 404, retryable: false },
  "change.not_found": { httpStatus: 404, retryable: false },
  "task.not_found": { httpStatus: 404, retryable: false },
  "token.not_found": { httpStatus: 404, retryable: false },
  "user.not_found": { httpStatus: 404, retryable: false },
  "invitation.not_found": { httpStatus: 404, retryable: false },
  "sandbox.not_found": { httpStatus: 404, retryable: false },
  "sandbox.engine_unavailable": { httpStatus: 503, retryable: true },
  "sandbox.image_missing": { httpStatus: 503, retryable: false },
  "sandbox.start_failed": { httpStatus: 502, retryable: true },
  "run.not_found": { httpStatus: 404, retryable: false },
  "run.ended": { httpStatus: 409, retryable: false },
  "run.busy": { httpStatus: 409, retryable: true },
  "workspace.wake_refused": { httpStatus: 409, retryable: true },
  "changeset.not_found": { httpStatus: 404, retryable: false },
  "thread.not_found": { httpStatus: 404, retryable: false },
  "draft.not_found": { httpStatus: 404, retryable: false },
  "command.not_found": { httpStatus: 404, retryable: false },
  "path.outside_workspace": { httpStatus: 400, retryable: false },
  "path.reserved": { httpStatus: 400, retryable: false },
  "file.not_found": { httpStatus: 404, retryable: false },
  "file.not_regular": { httpStatus: 400, retryable: false },
  "file.too_large": { httpStatus: 413, retryable: false },
  "event.not_found": { httpStatus: 404, retryable: false },
  "setting.not_found": { httpStatus: 404, retryable: false },
  "conflict.stale": { httpStatus: 409, retryable: false },
  "conflict.idempotency": { httpStatus: 409, retryable: false },
  "git.unavailable": { httpStatus: 503, retryable: true },
  "git.rejected": { httpStatus: 409, retryable: false },
  "repository.not_found": { httpStatus: 404, retryable: false },
  "commit.not_found": { httpStatus: 404, retryable: false },
  "edit.no_match": { httpStatus: 400, retryable: false },
  "edit.ambiguous": { httpStatus: 400, retryable: false },
  "edit.binary": { httpStatus: 400, retryable: false },
  "limit.rate": { httpStatus: 429, retryable: true },
  "limit.size": { httpStatus: 413, retryable: false },
  internal: { httpStatus: 500, retryable: false },
} as const satisfies Record<string, { httpStatus: number; retryable: boolean }>;

export type DomainCode = keyof typeof registry;

/**
 * A broken thing with a name. `message` is safe to show to whoever called; `cause` is for the log only.
 * A refusal that a caller is expected to meet is not an error: it is a value of the result's union.
 */
export class DomainError extends Error {
  override readonly name = "DomainError";
  constructor(
    readonly code: DomainCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get httpStatus(): number {
    return registry[this.code].httpStatus;
  }

  get isRetryable(): boolean {
    return registry[this.code].retryable;
  }
}

/** The shape in which an error crosses a process border. */
export interface ErrorBody {
  code: DomainCode;
  message: string;
  details: Readonly<Record<string, unknown>>;
}

export function toErrorBody(error: DomainError): ErrorBody {
  return { code: error.code, message: error.message, details: error.details };
}

/** Reads an error body sent by another process of ours; anything else becomes `internal`. */
export function fromErrorBody(body: unknown): DomainError {
  if (typeof body === "object" && body !== null && "code" in body && isDomainCode(body.code)) {
    const { message, details } = body as Partial<ErrorBody>;
    return new DomainError(body.code, message ?? body.code, details ?? {});
  }
  return new DomainError(
    "internal",
    "An internal process answered in a way that was not understood.",
    {},
    { cause: body },
  );
}

export function isDomainCode(code: unknown): code is DomainCode {
  return typeof code === "string" && Object.hasOwn(registry, code);
}

/** Says what an unknown thrown value is, for a log line or an operator's sentence. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

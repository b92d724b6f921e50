/**
 * A fault that an operator can do something about, in one sentence that says what. The command prints that sentence,
 * no stack, and ends with a code other than 0.
 */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** Reads the `code` of a system error, or null. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Turns a full disk into a sentence; every other error is answered as it is. */
export function explainDiskFault(error: unknown, place: string): unknown {
  return systemErrorCode(error) === "ENOSPC" ||
    (error instanceof Error && /no space left on device/i.test(error.message))
    ? new OperatorError(`The disk that holds ${place} is full: free some space and run this again.`, {
        cause: error,
      })
    : error;
}

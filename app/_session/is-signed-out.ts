/** Whether a failed call says that nobody is signed in. Told by its code: Next loads classes more than once. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UNAUTHORIZED";
}

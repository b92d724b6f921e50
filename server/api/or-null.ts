import { DomainError } from "../platform/errors";

/** What was found, or null where a `DomainError` says that there is nothing for whoever asks. What broke goes on breaking. */
export async function orNull<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof DomainError && error.code.endsWith(".not_found")) return null;
    throw error;
  }
}

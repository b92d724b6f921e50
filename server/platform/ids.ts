import { randomBytes, randomUUID } from "node:crypto";

/** Makes identifiers and secrets. Passed in, so that tests can name what they create. */
export interface Ids {
  /** A lower-case uuid, version 4. */
  uuid(): string;
  /** `byteCount` bytes from the system's cryptographic generator, base64url. */
  secret(byteCount: number): string;
}

export function createSystemIds(): Ids {
  return {
    uuid: () => randomUUID(),
    secret: (byteCount) => randomBytes(byteCount).toString("base64url"),
  };
}

import { createHash } from "node:crypto";

/** How long a call's success answers its repeats. */
export const keptForMs = 24 * 60 * 60 * 1000;

/** SHA-256, hex, of a body in one form: two bodies that mean the same have the same hash, whatever the order of keys. */
export function hashBody(body: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(body)))
    .digest("hex");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sortKeys(entry)]),
  );
}

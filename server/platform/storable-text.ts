/** A value that JSON can carry, as the database keeps it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** What PostgreSQL refuses in a text: U+0000, and halves of surrogate pairs that stand alone. */
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * Makes any text one that PostgreSQL stores. U+0000 becomes its visible symbol U+2400, half a surrogate pair becomes
 * U+FFFD; every other text stays as it is. Idempotent.
 */
export function toStorableText(text: string): string {
  return text.replace(unstorable, (found) => (found === "\0" ? "\u2400" : "\uFFFD"));
}

/** Makes every text inside a value storable, keys too. Two keys that become equal are one, the later. */
export function toStorableJson<Value extends JsonValue>(value: Value): Value;
export function toStorableJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map((item) => toStorableJson(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [toStorableText(key), toStorableJson(entry)]),
  );
}

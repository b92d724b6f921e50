import { headerValues, type Header } from "./request-head";

/**
 * Gives the user name of the proxy credentials, which a Run's proxy address sets to its id, and never the password.
 * Null for anything that could be something else: another scheme, no colon, other characters than an id has.
 */
export function proxyUserOf(headers: readonly Header[]): string | null {
  const [value, ...others] = headerValues(headers, "proxy-authorization");
  const encoded = /^basic ([A-Za-z0-9+/=]+)$/i.exec(value ?? "")?.[1];
  if (encoded === undefined || others.length > 0) return null;
  const credentials = Buffer.from(encoded, "base64").toString("latin1");
  return /^([A-Za-z0-9_-]{1,64}):/.exec(credentials)?.[1] ?? null;
}

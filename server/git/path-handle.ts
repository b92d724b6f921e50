import { isUtf8 } from "node:buffer";

const handlePrefix = "//";

/**
 * A text that stands for exactly one path: the name itself where its bytes are UTF-8, else `//` and base64url of them. No path
 * in a tree begins with a slash, so the two never meet.
 */
export function toPathHandle(path: Buffer): string {
  return isUtf8(path) ? path.toString("utf8") : `${handlePrefix}${path.toString("base64url")}`;
}

/** The name for eyes: bytes that are not UTF-8 show as U+FFFD. */
export function toDisplayPath(path: Buffer): string {
  return path.toString("utf8");
}

/** The bytes that a handle stands for. */
export function fromPathHandle(handle: string): Buffer {
  return handle.startsWith(handlePrefix)
    ? Buffer.from(handle.slice(handlePrefix.length), "base64url")
    : Buffer.from(handle, "utf8");
}

/** The parts of output that git wrote with `-z`. A last part without its U+0000 counts too. */
export function splitAtNul(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) parts.push(bytes.subarray(start));
  return parts;
}

/** A request target in the one spelling that is let through. */
export interface RequestTarget {
  /** Without the API version; starts with `/`. */
  path: string;
  query: ReadonlyMap<string, string>;
}

const plainPath = /^(?:\/v1\.[0-9]{2})?((?:\/[A-Za-z0-9_.:-]+)+)$/;

/**
 * Reads a request target; null when there is more than one way to read it. So a path has no percent sign, no empty, `.`
 * or `..` segment and no host in front, and a query has no key twice.
 */
export function parseRequestTarget(target: string): RequestTarget | null {
  const questionMark = target.indexOf("?");
  const rawPath = questionMark === -1 ? target : target.slice(0, questionMark);
  const path = plainPath.exec(rawPath)?.[1];
  if (path === undefined || path.split("/").some((segment) => segment === "." || segment === ".."))
    return null;
  const query = new Map<string, string>();
  const pairs = questionMark === -1 ? [] : [...new URLSearchParams(target.slice(questionMark + 1))];
  for (const [key, value] of pairs) {
    if (query.has(key)) return null;
    query.set(key, value);
  }
  return { path, query };
}

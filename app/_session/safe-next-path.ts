/**
 * Where to go after signing in: a path of our own, or the start page. An address of another host, in whatever disguise,
 * is never followed.
 */
export function safeNextPath(next: string | null | undefined): string {
  if (next === null || next === undefined || !/^\/(?![/\\])/.test(next)) return "/";
  // Browsers drop control characters before they read an address, so that `/<tab>/host` would be another host's.
  if (/[\u0000-\u001f\u007f\\]/.test(next)) return "/";
  const base = "http://own.invalid";
  if (!URL.canParse(next, base)) return "/";
  const url = new URL(next, base);
  // Without its dots `/..//host` is `//host`, which leads to another host again.
  if (url.origin !== base || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}

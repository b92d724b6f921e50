/** The cookie that the server reads, so that the first byte of a page has the right colours. */
export const schemeCookie = "scheme";

export type Scheme = "system" | "light" | "dark";

const yearSeconds = 31_536_000;

export function parseScheme(value: string | undefined): Scheme {
  return value === "light" || value === "dark" ? value : "system";
}

/** What this page shows now. */
export function readScheme(): Scheme {
  return parseScheme(document.documentElement.dataset["scheme"]);
}

/** Changes the page at once, and the pages to come. */
export function chooseScheme(scheme: Scheme): void {
  if (scheme === "system") delete document.documentElement.dataset["scheme"];
  else document.documentElement.dataset["scheme"] = scheme;
  const age = scheme === "system" ? 0 : yearSeconds;
  document.cookie = `${schemeCookie}=${scheme}; path=/; max-age=${age}; samesite=lax`;
}

/** More than this is no line any more, and is unfolded on demand. */
const factsMax = 4;
const factCharactersMax = 160;

/** The data of an entry as a few words each; null when it is too much for that. */
export function factsOf(data: Readonly<Record<string, unknown>>): { name: string; value: string }[] | null {
  const facts: { name: string; value: string }[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (value === null && name !== "before" && name !== "after") continue;
    if (typeof value === "object" && value !== null) return null;
    const text = value === null ? "not set" : String(value);
    if (text.length > factCharactersMax) return null;
    facts.push({ name: wordsOf(name), value: text });
  }
  return facts.length > factsMax ? null : facts;
}

/** `headCommit` as "head commit". */
function wordsOf(name: string): string {
  return name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
}

/** The page of what was acted on, where it has one. */
export function hrefOfSubject(action: string, subject: string): string | null {
  if (action.startsWith("changeSet.")) return `/change-sets/${encodeURIComponent(subject)}`;
  if (action.startsWith("egress.")) return "/settings/egress";
  if (action === "usage.setCap") return "/settings/general";
  return null;
}

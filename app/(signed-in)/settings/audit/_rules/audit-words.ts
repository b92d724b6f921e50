/** More than this is no line any more, and is unfolded on demand. */
const factsMax = 6;
const factCharactersMax = 120;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const longHash = /^[0-9a-f]{40,64}$/;

/** One thing that an entry tells. `value` may be shortened; `whole` never is. */
export interface AuditFact {
  name: string;
  value: string;
  whole: string;
}

/** The data of an entry as a few words each; null when it is too much for a line. */
export function factsOf(data: Readonly<Record<string, unknown>>): AuditFact[] | null {
  const facts: AuditFact[] = [];
  const { before, after, ...others } = data;
  if (before !== undefined && after !== undefined) {
    const whole = `${textOf(before) ?? "not set"} → ${textOf(after) ?? "not set"}`;
    facts.push({ name: "changed", value: whole, whole });
  }
  for (const [name, value] of Object.entries(others)) {
    if (value === null) continue;
    const whole = textOf(value);
    if (whole === null) return null;
    const isId = uuid.test(whole) || longHash.test(whole);
    facts.push({ name: wordsOf(name), value: isId ? whole.slice(0, 8) : whole, whole });
  }
  const isMuch = facts.length > factsMax || facts.some(({ value }) => value.length > factCharactersMax);
  return isMuch || [before, after].some(isNested) ? null : facts;
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string | null {
  if (value === null || isNested(value)) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
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

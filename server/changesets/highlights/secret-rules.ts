/** A string that looks like a secret, in words that do not give it away. */
export interface SecretLike {
  kind: string;
  masked: string;
}

/** The longest piece of a line that is looked at; longer lines are no code that a person wrote. */
const lineCharactersMax = 4_000;

/** Each pattern takes one step for one character, so a hostile line costs no more than a plain one. */
const known: readonly { kind: string; pattern: RegExp }[] = [
  { kind: "private key", pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { kind: "AWS key id", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/ },
  { kind: "Google API key", pattern: /\bAIza[A-Za-z0-9_-]{35}/ },
  { kind: "GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})/ },
  { kind: "GitLab token", pattern: /\bglpat-[A-Za-z0-9_-]{20,64}/ },
  { kind: "Slack token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}/ },
  { kind: "Stripe key", pattern: /\b[rs]k_live_[A-Za-z0-9]{16,200}/ },
  { kind: "npm token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { kind: "API key", pattern: /\bsk-[A-Za-z0-9_-]{20,200}/ },
  {
    kind: "JSON web token",
    pattern: /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,2000}/,
  },
  {
    kind: "password in an address",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`$<{]{1,200}:[^\s/@"'`$<{]{6,200}@/i,
  },
];

const assignment =
  /(?:password|passwd|secret|token|api_?-?key|access_?-?key|private_?-?key|credential)[a-z0-9_-]{0,40}["'`]?\s{0,5}[:=]{1,2}>?\s{0,5}["'`]([A-Za-z0-9+/_=.~-]{16,500})["'`]/i;

/** The first thing in a line that looks like a secret. Hashes with a known prefix, as of lock files, are none. */
export function findSecret(text: string): SecretLike | null {
  const line = text.slice(0, lineCharactersMax);
  for (const { kind, pattern } of known) {
    const match = pattern.exec(line)?.[0];
    if (match !== undefined) return { kind, masked: mask(match, kind) };
  }
  const value = assignment.exec(line)?.[1];
  if (value !== undefined && isRandom(value))
    return { kind: "secret that is assigned", masked: mask(value, "") };
  const long = line
    .match(/[A-Za-z0-9+/_=-]{40,500}/g)
    ?.find((token) => isRandom(token) && !isHash(token, line));
  return long === undefined ? null : { kind: "long token", masked: mask(long, "") };
}

/** At most four characters, and no more than a sixth of it. Headers of keys and addresses show nothing of the secret. */
function mask(secret: string, kind: string): string {
  if (kind === "private key") return secret;
  if (kind === "password in an address") return secret.slice(0, secret.indexOf("://") + 3) + "…";
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 6)))}… (${secret.length} characters)`;
}

/** Letters of both cases and digits, as made by a machine: words, paths and names in code are not. */
function isRandom(text: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((pattern) => pattern.test(text)).length;
  const digits = text.match(/[0-9]/g)?.length ?? 0;
  const isHex = /^[0-9a-f]+$/i.test(text) && digits >= 4;
  return isHex || (kinds === 3 && digits >= text.length / 16 && entropyOf(text) > 3.5);
}

/** Bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
}

/** Names of commits, digests and contents: long, random, and public. */
function isHash(token: string, line: string): boolean {
  if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(token)) return true;
  return /sha(?:1|256|384|512)[-:=]/i.test(line) || /data:[a-z]+\/[a-z0-9.+-]+;base64,/i.test(line);
}

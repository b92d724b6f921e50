import { createHash } from "node:crypto";
import type { Actor, Caller, TokenRecord } from "./types";

/** Bytes of randomness in a token's secret. */
export const tokenSecretBytes = 32;

const tokenPrefix = "rhb_";

/** What the holder is given: a prefix by which people and scanners know it, then the secret. */
export function formatToken(secret: string): string {
  return `${tokenPrefix}${secret}`;
}

/** The stored form. A plain hash is enough: the secret is 256 random bits, so there is nothing to guess. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The token of an `Authorization` header, or null when the header is not exactly one bearer token of ours. */
export function parseBearer(header: string | null): string | null {
  const match = /^Bearer (rhb_[A-Za-z0-9_-]{43})$/i.exec(header ?? "");
  return match?.[1] ?? null;
}

/** Whether a token works at `now`. One that is revoked or past its expiry does not, from that moment on. */
export function isTokenValid(token: Pick<TokenRecord, "expiresAt" | "revokedAt">, now: Date): boolean {
  return token.revokedAt === null && (token.expiresAt === null || now < token.expiresAt);
}

/** Whom a token speaks for. An agent's token without a Project is a broken row, and throws. */
export function callerOf(token: TokenRecord): Caller {
  const actor: Actor = { id: token.id, kind: "token", name: token.label };
  if (token.role !== "agent") return { role: token.role, actor };
  if (token.projectId === null) throw new Error(`The agent token ${token.id} has no Project.`);
  return { role: "agent", actor, projectId: token.projectId, changeId: token.changeId };
}

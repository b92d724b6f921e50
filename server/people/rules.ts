import { createHash } from "node:crypto";
import type { InvitationRecord } from "./types";

/** Bytes of randomness in the secret of a link. */
export const linkSecretBytes = 32;

export const passwordLengthMin = 10;
export const passwordLengthMax = 200;

export const firstAdminLinkMs = 24 * 60 * 60_000;
export const invitationMs = 7 * 24 * 60 * 60_000;

/** How old the note of when somebody was last seen may grow, so that not every call writes one. */
export const lastSeenStepMs = 5 * 60_000;

/** The stored form of a link's secret. A plain hash is enough: it is 256 random bits. */
export function hashLinkSecret(secret: string): string {
  return createHash("sha256").update(`link:${secret}`).digest("hex");
}

/** The form in which an e-mail address is kept and looked up. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether a link still makes a person at `now`. */
export function isLinkOpen(
  link: Pick<InvitationRecord, "expiresAt" | "usedAt" | "revokedAt">,
  now: Date,
): boolean {
  return link.usedAt === null && link.revokedAt === null && now < link.expiresAt;
}

/**
 * Whether a request that a cookie would authenticate comes from our own pages. The browser's own word on it counts
 * first; without it the origin must be ours. A request that tells neither is refused.
 */
export function isFromOwnPages(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const { origin: given, host } = new URL(origin);
  return given === new URL(publicUrl).origin || host === headers.get("host");
}

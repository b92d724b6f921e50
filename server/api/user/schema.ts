import { z } from "zod";
import type { InvitationRecord, PersonRecord, SignInSessionRecord } from "../../people/types";
import { passwordLengthMax, passwordLengthMin } from "../../people/rules";
import { time, title } from "../fields";

export const email = z.email().max(254);
export const personName = title;
export const password = z
  .string()
  .min(passwordLengthMin, `must have at least ${passwordLengthMin} characters`)
  .max(passwordLengthMax, `must have at most ${passwordLengthMax} characters`);
/** What stands in a link. */
export const linkSecret = z.string().min(20).max(200);

export const personRole = z.enum(["admin", "reviewer"]);

export const personView = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: personRole,
  createdAt: time,
  /** To within a few minutes; null for somebody who has never called. */
  lastSeenAt: time.nullable(),
  disabledAt: time.nullable(),
});

export const invitationView = z.object({
  id: z.uuid(),
  email: z.string().nullable(),
  role: personRole,
  createdByName: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  usedAt: time.nullable(),
  revokedAt: time.nullable(),
});

export const sessionView = z.object({
  id: z.uuid(),
  personId: z.uuid(),
  personName: z.string(),
  userAgent: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
});

export function toPersonView(person: PersonRecord): z.output<typeof personView> {
  return {
    ...person,
    createdAt: person.createdAt.toISOString(),
    lastSeenAt: person.lastSeenAt?.toISOString() ?? null,
    disabledAt: person.disabledAt?.toISOString() ?? null,
  };
}

export function toInvitationView({
  kind: _kind,
  ...link
}: InvitationRecord): z.output<typeof invitationView> {
  return {
    ...link,
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    usedAt: link.usedAt?.toISOString() ?? null,
    revokedAt: link.revokedAt?.toISOString() ?? null,
  };
}

export function toSessionView(
  session: SignInSessionRecord,
  currentId: string | null,
): z.output<typeof sessionView> {
  return {
    ...session,
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    isCurrent: session.id === currentId,
  };
}

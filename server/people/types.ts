/** What a person may do. Agents are not people: they hold tokens. */
export type PersonRole = "admin" | "reviewer";

/** Somebody who signs in. `email` is lower case. */
export interface PersonRecord {
  id: string;
  email: string;
  name: string;
  role: PersonRole;
  createdAt: Date;
  /** To within a few minutes; null for somebody who has never called. */
  lastSeenAt: Date | null;
  /** Since when this person may not sign in; null for everybody who may. */
  disabledAt: Date | null;
}

/** A link that makes one person, once. */
export interface InvitationRecord {
  id: string;
  kind: "first_admin" | "invited";
  /** Null for the first admin, who chooses it. */
  email: string | null;
  role: PersonRole;
  createdByName: string | null;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  revokedAt: Date | null;
}

/** One browser in which a person is signed in. */
export interface SignInSessionRecord {
  id: string;
  personId: string;
  personName: string;
  userAgent: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** A person who is signed in now, and the session by which that was proven. */
export interface SignedIn {
  person: PersonRecord;
  sessionId: string;
}

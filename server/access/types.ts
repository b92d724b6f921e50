/** admin: all. reviewer: reads all, reviews, merges. agent: one Project. The contract's section 1 has the whole of it. */
export type Role = "admin" | "reviewer" | "agent";

/** Who acts: a person who signed in, or a token. `name` is the person's name or the token's label, as it is now. */
export interface Actor {
  id: string;
  kind: "person" | "token";
  name: string;
}

/** Who is calling, after that was proven. An agent is bound to one Project, and to one Change if its token says so. */
export type Caller =
  | { role: "admin" | "reviewer"; actor: Actor }
  | { role: "agent"; actor: Actor; projectId: string; changeId: string | null };

/** Which tokens are looked at: those that can be used, those that were revoked or expired, or with null all. */
export interface TokenPage {
  hasEnded: boolean | null;
  /** The id of the last token of the page before. */
  after: string | null;
  limit: number;
}

/** A token as it may be shown: never its secret, nor the hash of it. */
export interface TokenRecord {
  id: string;
  role: Role;
  label: string;
  projectId: string | null;
  changeId: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

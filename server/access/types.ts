/** admin: all. reviewer: reads all, reviews, merges. agent: one Project. The contract's section 1 has the whole of it. */
export type Role = "admin" | "reviewer" | "agent";

/** Who is calling, after a token was checked. An agent is bound to one Project, and to one Change if its token says so. */
export type Caller =
  | { role: "admin" | "reviewer"; tokenId: string }
  | { role: "agent"; tokenId: string; projectId: string; changeId: string | null };

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

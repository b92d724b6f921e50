import type { Actor } from "../access/types";
import type { Clock } from "../platform/clock";
import type { RunInTransaction, Transaction } from "../platform/db";
import type { FailureLimit } from "../platform/failure-limit";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import type { SettingsService } from "../settings/service";
import type { SignIn } from "./sign-in";
import type { PeopleStore, PeopleWriter } from "./store";
import type { InvitationRecord, PersonRecord, PersonRole, SignedIn, SignInSessionRecord } from "./types";

/** People: how they come in, what they may do, where they are signed in. */
export interface People {
  /** Whether anybody has ever come in. */
  hasPeople(): Promise<boolean>;
  /** Who is signed in by the cookies of these headers; null for nobody and for people who are disabled. */
  findSignedIn(headers: Headers): Promise<SignedIn | null>;
  /**
   * Signs in by password and gives the cookies to set. A wrong password, an address that nobody has and a disabled person
   * are told apart by nothing. Errors: `auth.required`, `limit.rate`.
   */
  signIn(input: { email: string; password: string; headers: Headers }): Promise<string[]>;
  signOut(headers: Headers): Promise<string[]>;
  /** Errors: `input.invalid` when the present password is another one, `limit.rate`. Other sessions end. */
  changePassword(input: {
    signedIn: SignedIn;
    headers: Headers;
    present: string;
    next: string;
  }): Promise<void>;
  rename(input: { signedIn: SignedIn; name: string }): Promise<PersonRecord>;
  /** The secret of a fresh link for the first admin; null once there is anybody. Earlier ones end. */
  makeFirstAdminLink(): Promise<string | null>;
  /** What an open link offers. Errors: `invitation.not_found` for one that is unknown, used, revoked or expired. */
  getInvitation(secret: string): Promise<InvitationRecord>;
  /**
   * Uses a link up and makes its person; of two calls with one link the second fails. Somebody who is disabled comes back
   * as who they were, under the new name, role and password. Errors: `invitation.not_found`, `input.invalid` when somebody
   * has this address.
   */
  acceptInvitation(input: {
    secret: string;
    email: string;
    name: string;
    password: string;
  }): Promise<PersonRecord>;
  /**
   * The link's secret is in the answer and nowhere else. An earlier open one for the address ends. Errors: `input.invalid`
   * when somebody who is not disabled has this address.
   */
  invite(input: { email: string; role: PersonRole; actor: Actor }): Promise<{ id: string; secret: string }>;
  revokeInvitation(input: { id: string; actor: Actor }): Promise<void>;
  listPeople(page: Page): Promise<PersonRecord[]>;
  listInvitations(page: Page): Promise<InvitationRecord[]>;
  /** Errors: `user.not_found`, `input.invalid` for the last admin. */
  setRole(input: { id: string; role: PersonRole; actor: Actor }): Promise<PersonRecord>;
  /** A person who is disabled is signed out everywhere at once. Errors: as `setRole`. */
  setDisabled(input: { id: string; isDisabled: boolean; actor: Actor }): Promise<PersonRecord>;
  /** Of one person, or of everybody. */
  listSessions(personId: string | null): Promise<SignInSessionRecord[]>;
  /** Ends one session; `personId` null reaches anybody's. Errors: `user.not_found`. */
  endSession(input: { sessionId: string; personId: string | null; actor: Actor }): Promise<void>;
}

interface Page {
  after: string | null;
  limit: number;
}

export interface PeopleDeps {
  store: PeopleStore;
  writerIn: (tx: Transaction) => PeopleWriter;
  transaction: RunInTransaction;
  signIn: SignIn;
  settings: Pick<SettingsService, "appendAudit">;
  /** Counts wrong passwords, by address. */
  passwordLimit: FailureLimit;
  /** Takes away the file in which the first admin's link lies. */
  dropFirstAdminLink: () => Promise<void>;
  clock: Clock;
  ids: Ids;
  logger: Pick<Logger, "warn">;
}

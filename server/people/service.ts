import type { Actor, Caller } from "../access/types";
import type { Clock } from "../platform/clock";
import type { RunInTransaction, Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { SettingsService } from "../settings/service";
import type { FailureLimit } from "../platform/failure-limit";
import { normaliseEmail } from "./rules";
import { actorOfPerson, noteAct } from "./acts";
import { createInvitations, createLinks } from "./links";
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
   * Uses a link up and makes its person; of two calls with one link the second fails. Errors: `invitation.not_found`,
   * `input.invalid` when somebody has this address.
   */
  acceptInvitation(input: {
    secret: string;
    email: string;
    name: string;
    password: string;
  }): Promise<PersonRecord>;
  /** The link's secret is in the answer and nowhere else. An earlier open one for the address ends. */
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
  clock: Clock;
  ids: Ids;
}

/** Whom a signed-in person speaks for. */
export function callerOfPerson(person: PersonRecord): Caller {
  return { role: person.role, actor: actorOfPerson(person) };
}

export function createPeople(deps: PeopleDeps): People {
  return {
    hasPeople: () => deps.store.hasPeople(),
    listPeople: (page) => deps.store.listPeople(page),
    ...createSessions(deps),
    ...createLinks(deps),
    ...createInvitations(deps),
    ...createRoles(deps),
  };
}

function createSessions(
  deps: PeopleDeps,
): Pick<
  People,
  "findSignedIn" | "signIn" | "signOut" | "changePassword" | "rename" | "listSessions" | "endSession"
> {
  const { store, writerIn, transaction, signIn, passwordLimit, clock } = deps;
  return {
    findSignedIn: async (headers) => {
      const session = await signIn.findSession(headers);
      if (session === null) return null;
      const person = await store.findPerson(session.personId);
      return person === null || person.disabledAt !== null ? null : { person, sessionId: session.sessionId };
    },
    signIn: async ({ email, password, headers }) => {
      const address = normaliseEmail(email);
      passwordLimit.check(address);
      const cookies = await signIn.signIn({ email: address, password, headers });
      const person = await store.findByEmail(address);
      if (cookies === null || person === null || person.disabledAt !== null) {
        passwordLimit.noteFailure(address);
        if (person !== null) await noteFailedSignIn(deps, person, cookies !== null);
        throw new DomainError("auth.required", "E-mail and password do not belong together.");
      }
      passwordLimit.forget(address);
      await transaction((tx) =>
        noteAct(deps, tx, { actor: actorOfPerson(person), action: "user.signIn", subject: person.id }),
      );
      return cookies;
    },
    signOut: (headers) => signIn.signOut(headers),
    changePassword: async ({ signedIn, headers, present, next }) => {
      const { person, sessionId } = signedIn;
      passwordLimit.check(person.email);
      if (!(await signIn.changePassword({ headers, present, next }))) {
        passwordLimit.noteFailure(person.email);
        throw new DomainError("input.invalid", "The present password is another one.", { field: "present" });
      }
      await transaction(async (tx) => {
        await writerIn(tx).endSessions({ personId: person.id, exceptId: sessionId });
        await noteAct(deps, tx, {
          actor: actorOfPerson(person),
          action: "user.changePassword",
          subject: person.id,
        });
      });
    },
    rename: ({ signedIn, name }) =>
      transaction(async (tx) => {
        await writerIn(tx).setName(signedIn.person.id, name, clock.now());
        return requirePerson(await writerIn(tx).findPerson(signedIn.person.id));
      }),
    listSessions: (personId) => store.listSessions({ personId, now: clock.now() }),
    endSession: async ({ sessionId, personId, actor }) => {
      const sessions = await store.listSessions({ personId, now: clock.now() });
      const session = sessions.find(({ id }) => id === sessionId);
      if (session === undefined) throw new DomainError("user.not_found", "There is no such session.");
      await transaction(async (tx) => {
        await writerIn(tx).endSessions({ personId: session.personId, sessionId });
        await noteAct(deps, tx, { actor, action: "user.endSession", subject: session.personId });
      });
    },
  };
}

function createRoles(deps: PeopleDeps): Pick<People, "setRole" | "setDisabled"> {
  const { writerIn, transaction, clock } = deps;
  /** Locks people, so that two admins who take each other's role away cannot leave none. */
  const change = (
    id: string,
    apply: (writer: PeopleWriter, person: PersonRecord, tx: Transaction) => Promise<void>,
  ): Promise<PersonRecord> =>
    transaction(async (tx) => {
      const writer = writerIn(tx);
      await writer.lock();
      await apply(writer, requirePerson(await writer.findPerson(id)), tx);
      if ((await writer.countAdmins()) === 0) {
        throw new DomainError("input.invalid", "This is the last admin. Make somebody else an admin first.");
      }
      return requirePerson(await writer.findPerson(id));
    });
  return {
    setRole: ({ id, role, actor }) =>
      change(id, async (writer, person, tx) => {
        if (person.role === role) return;
        await writer.setRole(id, role, clock.now());
        await noteAct(deps, tx, {
          actor,
          action: "user.setRole",
          subject: id,
          data: { before: person.role, after: role },
        });
      }),
    setDisabled: ({ id, isDisabled, actor }) =>
      change(id, async (writer, person, tx) => {
        if ((person.disabledAt !== null) === isDisabled) return;
        await writer.setDisabled(id, isDisabled ? clock.now() : null, clock.now());
        if (isDisabled) await writer.endSessions({ personId: id });
        await noteAct(deps, tx, { actor, action: isDisabled ? "user.disable" : "user.enable", subject: id });
      }),
  };
}

/** A wrong password for somebody who exists is worth a line; the failure limit bounds how many there can be. */
async function noteFailedSignIn(deps: PeopleDeps, person: PersonRecord, isDisabled: boolean): Promise<void> {
  await deps.transaction(async (tx) => {
    if (isDisabled) await deps.writerIn(tx).endSessions({ personId: person.id });
    await noteAct(deps, tx, {
      actor: null,
      action: "user.signInFailed",
      subject: person.id,
      data: { isDisabled },
    });
  });
}

function requirePerson(person: PersonRecord | null): PersonRecord {
  if (person === null) throw new DomainError("user.not_found", "There is no such person.");
  return person;
}

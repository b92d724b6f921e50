import type { Caller } from "../access/types";
import type { Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import { actorOfPerson, noteAct } from "./acts";
import type { People, PeopleDeps } from "./deps";
import { createInvitations, createLinks } from "./links";
import { normaliseEmail } from "./rules";
import type { PeopleWriter } from "./store";
import type { PersonRecord } from "./types";

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

import type { Caller } from "../access/types";
import type { Transaction } from "../platform/db";
import { describeError, DomainError } from "../platform/errors";
import type { FailureLimit } from "../platform/failure-limit";
import { actorOfPerson, noteAct } from "./acts";
import type { People, PeopleDeps } from "./deps";
import { createInvitations, createLinks } from "./links";
import { lastSeenStepMs, normaliseEmail } from "./rules";
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
      if (person === null || person.disabledAt !== null) return null;
      const now = clock.now();
      const staleBefore = new Date(now.getTime() - lastSeenStepMs);
      if (person.lastSeenAt === null || person.lastSeenAt < staleBefore) {
        await transaction((tx) => writerIn(tx).noteSeen(person.id, now, staleBefore));
      }
      return { person, sessionId: session.sessionId };
    },
    signIn: async ({ email, password, headers }) => {
      const address = normaliseEmail(email);
      countTry(passwordLimit, address);
      const cookies = await signIn.signIn({ email: address, password, headers });
      const person = await store.findByEmail(address);
      if (cookies === null || person === null || person.disabledAt !== null) {
        if (person !== null && cookies !== null) await refuseDisabled(deps, person);
        // Not waited for: an answer that takes longer would tell that somebody has this address.
        else if (person !== null) void noteWrongPassword(deps, person);
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
      countTry(passwordLimit, person.email);
      if (!(await signIn.changePassword({ headers, present, next }))) {
        throw new DomainError("input.invalid", "The present password is another one.", { field: "present" });
      }
      passwordLimit.forget(person.email);
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
        const { person } = signedIn;
        await writerIn(tx).setName(person.id, name, clock.now());
        await noteAct(deps, tx, {
          actor: actorOfPerson(person),
          action: "user.rename",
          subject: person.id,
          data: { before: person.name, after: name },
        });
        return requirePerson(await writerIn(tx).findPerson(person.id));
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

/** Counts a try before it is known whether it fails, so that many tries at once are bounded too; success forgets it. */
function countTry(limit: FailureLimit, key: string): void {
  limit.check(key);
  limit.noteFailure(key);
}

/** A wrong password for somebody who exists is worth a line; the failure limit bounds how many there can be. */
async function noteWrongPassword(deps: PeopleDeps, { id }: PersonRecord): Promise<void> {
  const entry = { actor: null, action: "user.signInFailed", subject: id, data: { isDisabled: false } };
  try {
    await deps.transaction((tx) => noteAct(deps, tx, entry));
  } catch (error) {
    deps.logger.warn({ reason: describeError(error) }, "a failed sign-in could not be noted");
  }
}

/** The library knows of no disabled people, so what it opened for one is ended. */
async function refuseDisabled(deps: PeopleDeps, { id }: PersonRecord): Promise<void> {
  await deps.transaction(async (tx) => {
    await deps.writerIn(tx).endSessions({ personId: id });
    const entry = { actor: null, action: "user.signInFailed", subject: id, data: { isDisabled: true } };
    await noteAct(deps, tx, entry);
  });
}

function requirePerson(person: PersonRecord | null): PersonRecord {
  if (person === null) throw new DomainError("user.not_found", "There is no such person.");
  return person;
}

import type { DbOrTransaction, Transaction } from "../platform/db";
import { toStorableText } from "../platform/storable-text";
import type { InvitationRecord, PersonRecord, PersonRole, SignInSessionRecord } from "./types";

/** People, the links that make them, and where they are signed in. */
export interface PeopleStore {
  hasPeople(): Promise<boolean>;
  findPerson(id: string): Promise<PersonRecord | null>;
  findByEmail(email: string): Promise<PersonRecord | null>;
  /** Oldest first; `after` is the id of the last one of the page before. */
  listPeople(page: Page): Promise<PersonRecord[]>;
  /** Newest first. */
  listInvitations(page: Page): Promise<InvitationRecord[]>;
  findInvitationByHash(hash: string): Promise<InvitationRecord | null>;
  /** Newest first, the ended ones not among them. Of one person, or of everybody. */
  listSessions(input: { personId: string | null; now: Date }): Promise<SignInSessionRecord[]>;
}

/** What is written, inside the transaction that its caller opened. */
export interface PeopleWriter {
  /** Nobody else adds or changes people until the transaction ends. */
  lock(): Promise<void>;
  countAdmins(): Promise<number>;
  hasPeople(): Promise<boolean>;
  findPerson(id: string): Promise<PersonRecord | null>;
  findByEmail(email: string): Promise<PersonRecord | null>;
  createPerson(person: PersonRecord & { passwordHash: string; credentialId: string }): Promise<void>;
  setRole(id: string, role: PersonRole, at: Date): Promise<void>;
  setDisabled(id: string, disabledAt: Date | null, at: Date): Promise<void>;
  setName(id: string, name: string, at: Date): Promise<void>;
  /** Notes that somebody was seen at `at`, unless that was noted since `staleBefore`. */
  noteSeen(id: string, at: Date, staleBefore: Date): Promise<void>;
  /** Gives somebody who is disabled access again, under another name, role and password. */
  restorePerson(person: RestoredPerson): Promise<void>;
  createInvitation(invitation: InvitationRecord & { hash: string }): Promise<void>;
  /** Uses a link up; null when it is not open at `now`. */
  useInvitation(hash: string, now: Date): Promise<InvitationRecord | null>;
  /** Ends links that nobody used: one of them, or all for the first admin, or all for an address. */
  revokeInvitations(which: InvitationChoice, at: Date): Promise<number>;
  /** Ends sessions: one, or all of a person but `exceptId`. Gives how many there were. */
  endSessions(which: { personId: string; sessionId?: string; exceptId?: string }): Promise<number>;
}

export type RestoredPerson = Pick<PersonRecord, "id" | "name" | "role"> & { passwordHash: string; at: Date };

export type InvitationChoice = { id: string } | { kind: "first_admin" } | { email: string };

interface Page {
  after: string | null;
  limit: number;
}

const personFields = {
  id: true,
  email: true,
  name: true,
  role: true,
  createdAt: true,
  lastSeenAt: true,
  disabledAt: true,
} as const;

const invitationFields = {
  id: true,
  kind: true,
  email: true,
  role: true,
  createdByName: true,
  createdAt: true,
  expiresAt: true,
  usedAt: true,
  revokedAt: true,
} as const;

export function createPeopleStore(db: DbOrTransaction): PeopleStore {
  return {
    hasPeople: async () => (await db.person.findFirst({ select: { id: true } })) !== null,
    findPerson: (id) => db.person.findUnique({ where: { id }, select: personFields }),
    findByEmail: (email) => db.person.findUnique({ where: { email }, select: personFields }),
    listPeople: ({ after, limit }) =>
      db.person.findMany({
        select: personFields,
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      }),
    listInvitations: ({ after, limit }) =>
      db.invitation.findMany({
        where: { kind: "invited" },
        select: invitationFields,
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      }),
    findInvitationByHash: (hash) => db.invitation.findUnique({ where: { hash }, select: invitationFields }),
    listSessions: async ({ personId, now }) => {
      const rows = await db.signInSession.findMany({
        where: { expiresAt: { gt: now }, ...(personId === null ? {} : { personId }) },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take: 500,
        select: {
          id: true,
          personId: true,
          userAgent: true,
          createdAt: true,
          expiresAt: true,
          person: { select: { name: true } },
        },
      });
      return rows.map(({ person, ...row }) => ({ ...row, personName: person.name }));
    },
  };
}

export function createPeopleWriter(tx: Transaction): PeopleWriter {
  const read = createPeopleStore(tx);
  return {
    hasPeople: () => read.hasPeople(),
    findPerson: (id) => read.findPerson(id),
    findByEmail: (email) => read.findByEmail(email),
    lock: async () => {
      await tx.$executeRaw`LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE`;
    },
    countAdmins: () => tx.person.count({ where: { role: "admin", disabledAt: null } }),
    createPerson: async ({ passwordHash, credentialId, ...person }) => {
      const at = { createdAt: person.createdAt, updatedAt: person.createdAt };
      await tx.person.create({ data: { ...person, name: toStorableText(person.name), ...at } });
      await tx.credential.create({
        data: {
          id: credentialId,
          personId: person.id,
          accountId: person.id,
          providerId: "credential",
          password: passwordHash,
          ...at,
        },
      });
    },
    setRole: async (id, role, at) => {
      await tx.person.update({ where: { id }, data: { role, updatedAt: at } });
    },
    setDisabled: async (id, disabledAt, at) => {
      await tx.person.update({ where: { id }, data: { disabledAt, updatedAt: at } });
    },
    setName: async (id, name, at) => {
      await tx.person.update({ where: { id }, data: { name: toStorableText(name), updatedAt: at } });
    },
    noteSeen: async (id, at, staleBefore) => {
      const isStale = { OR: [{ lastSeenAt: null }, { lastSeenAt: { lt: staleBefore } }] };
      await tx.person.updateMany({ where: { id, ...isStale }, data: { lastSeenAt: at } });
    },
    restorePerson: async ({ id, name, role, passwordHash, at }) => {
      await tx.person.update({
        where: { id, NOT: { disabledAt: null } },
        data: { name: toStorableText(name), role, disabledAt: null, updatedAt: at },
      });
      await tx.credential.updateMany({
        where: { personId: id },
        data: { password: passwordHash, updatedAt: at },
      });
    },
    createInvitation: async (invitation) => {
      await tx.invitation.create({ data: invitation });
    },
    useInvitation: async (hash, now) => {
      const { count } = await tx.invitation.updateMany({
        where: { hash, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
        data: { usedAt: now },
      });
      return count === 1 ? tx.invitation.findUnique({ where: { hash }, select: invitationFields }) : null;
    },
    revokeInvitations: async (which, at) => {
      const { count } = await tx.invitation.updateMany({
        where: { ...which, usedAt: null, revokedAt: null },
        data: { revokedAt: at },
      });
      return count;
    },
    endSessions: async ({ personId, sessionId, exceptId }) => {
      const { count } = await tx.signInSession.deleteMany({
        where: {
          personId,
          ...(sessionId === undefined ? {} : { id: sessionId }),
          ...(exceptId === undefined ? {} : { NOT: { id: exceptId } }),
        },
      });
      return count;
    },
  };
}

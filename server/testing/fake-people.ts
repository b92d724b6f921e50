import type { People } from "../people/deps";
import { createPeople } from "../people/service";
import type { SignIn } from "../people/sign-in";
import type { PeopleStore, PeopleWriter } from "../people/store";
import type { InvitationRecord, PersonRecord } from "../people/types";
import type { Clock } from "../platform/clock";
import type { Transaction } from "../platform/db";
import { createFailureLimit } from "../platform/failure-limit";
import type { Ids } from "../platform/ids";
import { createSilentLogger } from "../platform/logger";
import { cut } from "./fake-projects";

/** People in memory, for tests of what stands above them. The tables and the sign-in library are tested on PostgreSQL. */
export function createFakePeople(deps: { clock: Clock; ids: Ids }): People {
  const people: (PersonRecord & { passwordHash: string })[] = [];
  const links: (InvitationRecord & { hash: string })[] = [];
  const store = createStore(people, links);
  return createPeople({
    ...deps,
    store,
    writerIn: () => createWriter(people, links, store),
    transaction: (work) => work({} as Transaction),
    signIn: createFakeSignIn(people),
    settings: { appendAudit: () => Promise.resolve() },
    passwordLimit: createFailureLimit({ clock: deps.clock, failuresMax: 10, windowMs: 900_000 }),
    dropFirstAdminLink: () => Promise.resolve(),
    logger: createSilentLogger(),
  });
}

/** A session's cookie is the person's id, a password's hash is the password. */
function createFakeSignIn(people: readonly (PersonRecord & { passwordHash: string })[]): SignIn {
  const idIn = (headers: Headers): string | undefined =>
    /rhumbatron\.fake=([^;]+)/.exec(headers.get("cookie") ?? "")?.[1];
  return {
    hashPassword: (password) => Promise.resolve(password),
    signIn: ({ email, password }) => {
      const found = people.find((one) => one.email === email && one.passwordHash === password);
      return Promise.resolve(found === undefined ? null : [`rhumbatron.fake=${found.id}`]);
    },
    signOut: () => Promise.resolve(["rhumbatron.fake=; Max-Age=0"]),
    findSession: (headers) => {
      const personId = idIn(headers);
      return Promise.resolve(personId === undefined ? null : { personId, sessionId: personId });
    },
    changePassword: ({ present }) => Promise.resolve(people.some((one) => one.passwordHash === present)),
  };
}

function createStore(people: PersonRecord[], links: (InvitationRecord & { hash: string })[]): PeopleStore {
  return {
    hasPeople: () => Promise.resolve(people.length > 0),
    findPerson: (id) => Promise.resolve(people.find((one) => one.id === id) ?? null),
    findByEmail: (email) => Promise.resolve(people.find((one) => one.email === email) ?? null),
    listPeople: (page) => Promise.resolve(cut(people, page)),
    listInvitations: (page) => Promise.resolve(cut(links, page)),
    findInvitationByHash: (hash) => Promise.resolve(links.find((one) => one.hash === hash) ?? null),
    listSessions: () => Promise.resolve([]),
  };
}

function createWriter(
  people: (PersonRecord & { passwordHash: string })[],
  links: (InvitationRecord & { hash: string })[],
  store: PeopleStore,
): PeopleWriter {
  const update = (id: string, change: Partial<PersonRecord>): Promise<void> => {
    Object.assign(people.find((one) => one.id === id) ?? {}, change);
    return Promise.resolve();
  };
  return {
    ...store,
    lock: () => Promise.resolve(),
    countAdmins: () =>
      Promise.resolve(people.filter((one) => one.role === "admin" && one.disabledAt === null).length),
    createPerson: (person) => {
      people.push(person);
      return Promise.resolve();
    },
    setRole: (id, role) => update(id, { role }),
    setDisabled: (id, disabledAt) => update(id, { disabledAt }),
    setName: (id, name) => update(id, { name }),
    noteSeen: (id, lastSeenAt) => update(id, { lastSeenAt }),
    restorePerson: ({ id, name, role }) => update(id, { name, role, disabledAt: null }),
    createInvitation: (invitation) => {
      links.push(invitation);
      return Promise.resolve();
    },
    useInvitation: (hash, now) => {
      const link = links.find((one) => one.hash === hash && one.usedAt === null && one.revokedAt === null);
      return Promise.resolve(link === undefined ? null : Object.assign(link, { usedAt: now }));
    },
    revokeInvitations: (which, at) => {
      const open = links.filter(
        (one) =>
          Object.entries(which).every(([key, value]) => one[key as keyof typeof one] === value) &&
          one.usedAt === null &&
          one.revokedAt === null,
      );
      for (const link of open) link.revokedAt = at;
      return Promise.resolve(open.length);
    },
    endSessions: () => Promise.resolve(0),
  };
}

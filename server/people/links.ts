import type { Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import { actorOfPerson, noteAct } from "./acts";
import {
  firstAdminLinkMs,
  hashLinkSecret,
  invitationMs,
  isLinkOpen,
  linkSecretBytes,
  normaliseEmail,
} from "./rules";
import type { People, PeopleDeps } from "./deps";
import type { PeopleWriter } from "./store";
import type { InvitationRecord, PersonRecord } from "./types";

/** The links by which people come in, from their making to their use. */
export function createLinks(
  deps: PeopleDeps,
): Pick<People, "makeFirstAdminLink" | "getInvitation" | "acceptInvitation"> {
  const { store, writerIn, transaction, signIn, clock } = deps;
  return {
    makeFirstAdminLink: () =>
      transaction(async (tx) => {
        const writer = writerIn(tx);
        await writer.lock();
        await writer.revokeInvitations({ kind: "first_admin" }, clock.now());
        if (await writer.hasPeople()) return null;
        const link = { kind: "first_admin", email: null, role: "admin", createdByName: null } as const;
        return (await make(deps, writer, { ...link, lifetimeMs: firstAdminLinkMs })).secret;
      }),
    getInvitation: async (secret) => {
      const link = await store.findInvitationByHash(hashLinkSecret(secret));
      if (link === null || !isLinkOpen(link, clock.now())) throw noSuchLink();
      return link;
    },
    acceptInvitation: async ({ secret, ...form }) => {
      const hash = hashLinkSecret(secret);
      const found = await store.findInvitationByHash(hash);
      // Hashing is dear, so not for everybody who sends a link.
      if (found === null || !isLinkOpen(found, clock.now())) throw noSuchLink();
      const passwordHash = await signIn.hashPassword(form.password);
      const { person, isFirstAdmin } = await transaction(async (tx) => {
        const writer = writerIn(tx);
        await writer.lock();
        const link = await writer.useInvitation(hash, clock.now());
        if (link === null || (link.kind === "first_admin" && (await writer.hasPeople()))) throw noSuchLink();
        return comeIn(deps, tx, { ...form, passwordHash, link });
      });
      deps.passwordLimit.forget(person.email);
      if (isFirstAdmin) await deps.dropFirstAdminLink();
      return person;
    },
  };
}

/** Makes the person of a link that was just used up, or lets somebody who was disabled come back. */
async function comeIn(
  deps: PeopleDeps,
  tx: Transaction,
  input: { email: string; name: string; passwordHash: string; link: InvitationRecord },
): Promise<{ person: PersonRecord; isFirstAdmin: boolean }> {
  const { name, passwordHash, link } = input;
  const { role } = link;
  const writer = deps.writerIn(tx);
  const now = deps.clock.now();
  const email = link.email ?? normaliseEmail(input.email);
  const before = await writer.findByEmail(email);
  if (before !== null && before.disabledAt === null) throw addressIsTaken();
  const fresh = { id: deps.ids.uuid(), email, createdAt: now, lastSeenAt: null };
  const person = { ...(before ?? fresh), name, role, disabledAt: null };
  if (before === null) {
    await writer.createPerson({ ...person, passwordHash, credentialId: deps.ids.uuid() });
  } else await writer.restorePerson({ ...person, passwordHash, at: now });
  const isFirstAdmin = link.kind === "first_admin";
  await noteAct(deps, tx, {
    actor: actorOfPerson(person),
    action: "user.acceptInvitation",
    subject: person.id,
    data: { role, isFirstAdmin, wasDisabled: before !== null },
  });
  return { person, isFirstAdmin };
}

/** What admins do with invitations. */
export function createInvitations(
  deps: PeopleDeps,
): Pick<People, "invite" | "revokeInvitation" | "listInvitations"> {
  const { store, writerIn, transaction, clock } = deps;
  return {
    invite: ({ email, role, actor }) =>
      transaction(async (tx) => {
        const writer = writerIn(tx);
        const address = normaliseEmail(email);
        const present = await writer.findByEmail(address);
        if (present !== null && present.disabledAt === null) throw addressIsTaken();
        await writer.revokeInvitations({ email: address }, clock.now());
        const link = { kind: "invited", email: address, role, createdByName: actor.name } as const;
        const made = await make(deps, writer, { ...link, lifetimeMs: invitationMs });
        await noteAct(deps, tx, {
          actor,
          action: "user.invite",
          subject: made.id,
          data: { email: address, role },
        });
        return made;
      }),
    revokeInvitation: ({ id, actor }) =>
      transaction(async (tx) => {
        const count = await writerIn(tx).revokeInvitations({ id }, clock.now());
        if (count === 0) throw noSuchLink();
        await noteAct(deps, tx, { actor, action: "user.revokeInvitation", subject: id });
      }),
    listInvitations: (page) => store.listInvitations(page),
  };
}

async function make(
  { clock, ids }: PeopleDeps,
  writer: PeopleWriter,
  link: Pick<InvitationRecord, "kind" | "email" | "role" | "createdByName"> & { lifetimeMs: number },
): Promise<{ id: string; secret: string }> {
  const { lifetimeMs, ...given } = link;
  const now = clock.now();
  const [id, secret] = [ids.uuid(), ids.secret(linkSecretBytes)];
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const ends = { usedAt: null, revokedAt: null, createdAt: now, expiresAt };
  await writer.createInvitation({ ...given, ...ends, id, hash: hashLinkSecret(secret) });
  return { id, secret };
}

function addressIsTaken(): DomainError {
  return new DomainError("input.invalid", "Somebody has this e-mail address already.", { field: "email" });
}

function noSuchLink(): DomainError {
  return new DomainError(
    "invitation.not_found",
    "This link is unknown, was used, or has expired. Ask whoever sent it for a new one.",
  );
}

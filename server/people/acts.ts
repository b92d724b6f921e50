import type { Actor } from "../access/types";
import type { Transaction } from "../platform/db";
import type { PeopleDeps } from "./deps";
import type { PersonRecord } from "./types";

/** The actor that a person is. */
export function actorOfPerson(person: PersonRecord): Actor {
  return { id: person.id, kind: "person", name: person.name };
}

/** Writes an act on a person into the audit log, in the transaction in which it happens. */
export function noteAct(
  { settings, clock }: PeopleDeps,
  tx: Transaction,
  entry: { actor: Actor | null; action: string; subject: string; data?: Record<string, string | boolean> },
): Promise<void> {
  return settings.appendAudit(tx, { data: {}, ...entry, at: clock.now() });
}

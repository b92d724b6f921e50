import type { Actor } from "../access/types";
import { toStorableText } from "../platform/storable-text";

/** An actor as tables keep it, with the name that it has now. */
export interface ActorColumns {
  actorId: string;
  actorKind: string;
  actorName: string;
}

export function toActorColumns({ id, kind, name }: Actor): ActorColumns {
  return { actorId: id, actorKind: kind, actorName: toStorableText(name) };
}

/** Who acted, by the name of then. */
export function toActor({ actorId, actorKind, actorName }: ActorColumns): Actor {
  return { id: actorId, kind: actorKind === "person" ? "person" : "token", name: actorName };
}

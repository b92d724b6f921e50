import type { Actor } from "../access/types";

/** The actor that a token with this id is. */
export function actorOf(id: string): Actor {
  return { id, kind: "token", name: `token ${id.slice(0, 8)}` };
}

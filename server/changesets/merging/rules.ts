import type { Actor } from "../../access/types";
import type { Identity } from "../../git/types";
import type { ChangeSetRecord } from "../types";

/** The message of a merge commit, with what it merges in trailers. */
export function defaultMessage({ id, runId, title, version }: ChangeSetRecord): string {
  const line = title.replace(/\s+/g, " ").trim();
  return [
    `Merge ChangeSet: ${line}`,
    "",
    `ChangeSet-Id: ${id}`,
    `ChangeSet-Version: ${version}`,
    `Run-Id: ${runId}`,
  ]
    .join("\n")
    .concat("\n");
}

/** The address of an actor without one: no mail goes anywhere. */
export function noreplyAddress({ id }: Pick<Actor, "id">): string {
  return `${id}@noreply.invalid`;
}

/** An identity that a commit can hold: what would end its part of the line is left out. */
export function identityOf(name: string, email: string): Identity {
  // git drops such characters at the ends of a name, and refuses a name of nothing else.
  const cleaned = clean(name).replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, "");
  return { name: cleaned === "" ? "reviewer" : cleaned, email: clean(email) };
}

function clean(text: string): string {
  return text
    .replace(/[<>\p{Cc}\p{Cs}]/gu, "")
    .trim()
    .slice(0, 200);
}

import { parseBearer } from "../access/rules";
import type { Caller } from "../access/types";
import { isFromOwnPages } from "../people/rules";
import { callerOfPerson } from "../people/service";
import type { SignedIn } from "../people/types";
import type { ApiDeps } from "./context";

/** Who calls, and how that was proven. `signedIn` is null for tokens. */
export interface Identity {
  caller: Caller | null;
  signedIn: SignedIn | null;
}

/** Nobody. */
export const nobody: Identity = { caller: null, signedIn: null };

/**
 * Says who sends these headers: by a bearer token, or else by the cookie of a session. With an `Authorization` header of
 * any kind the cookie does not count. Errors: `limit.rate` after too many wrong tokens.
 */
export async function resolveCaller(
  headers: Headers,
  { access, people }: Pick<ApiDeps, "access" | "people">,
): Promise<Identity> {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const token = parseBearer(authorization);
    return { caller: token === null ? null : await access.findCaller(token), signedIn: null };
  }
  const signedIn = await people.findSignedIn(headers);
  return signedIn === null ? nobody : { caller: callerOfPerson(signedIn.person), signedIn };
}

/**
 * Whether a cookie may count for this request. One that changes something must come from our own pages, so that no other
 * site can use the session of somebody who visits it.
 */
export function mayUseCookie(request: Request, publicUrl: string): boolean {
  return request.method === "GET" || request.method === "HEAD" || isFromOwnPages(request.headers, publicUrl);
}

import type { SignedIn } from "../../people/types";
import { DomainError } from "../../platform/errors";
import type { ApiContext, Browser } from "../context";

/** The browser that asks, for what sets cookies. Errors: `auth.forbidden` outside of our own pages. */
export function requireBrowser({ browser }: Pick<ApiContext, "browser">): Browser {
  if (browser !== null) return browser;
  throw new DomainError("auth.forbidden", "This is only for the dashboard's own pages.");
}

/** The session that asks. Errors: `auth.forbidden` for tokens, which have none. */
export function requireSignedIn({ signedIn }: Pick<ApiContext, "signedIn">): SignedIn {
  if (signedIn !== null) return signedIn;
  throw new DomainError("auth.forbidden", "This is for a person who is signed in, not for a token.");
}

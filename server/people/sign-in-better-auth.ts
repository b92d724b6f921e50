import { createHash } from "node:crypto";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError } from "better-auth/api";
import type { Db } from "../platform/db";
import type { Ids } from "../platform/ids";
import { passwordLengthMax, passwordLengthMin } from "./rules";
import type { SignIn } from "./sign-in";

/** How long somebody stays signed in. */
const sessionSeconds = 30 * 24 * 60 * 60;

/** The name that every cookie of ours begins with, after what the browser's own rules put before it. */
const cookiePrefix = "rhumbatron";

/**
 * Signs people in with the library better-auth on our own tables. It serves no address of its own: what it can do is
 * called from here only. `secret` signs the cookies; another one signs everybody out.
 */
export function createBetterAuthSignIn(deps: {
  db: Db;
  ids: Ids;
  secret: string;
  publicUrl: string;
}): SignIn {
  const auth = configure(deps);
  return {
    hashPassword: async (password) => (await auth.$context).password.hash(password),
    signIn: async ({ email, password, headers }) => {
      try {
        const answer = await auth.api.signInEmail({
          body: { email, password },
          headers,
          returnHeaders: true,
        });
        return answer.headers.getSetCookie();
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },
    signOut: async (headers) => {
      const answer = await auth.api.signOut({ headers, returnHeaders: true });
      return answer.headers.getSetCookie();
    },
    findSession: async (headers) => {
      if (!hasOwnCookie(headers)) return null;
      const found = await auth.api.getSession({ headers });
      return found === null ? null : { sessionId: found.session.id, personId: found.session.userId };
    },
    changePassword: async ({ headers, present, next }) => {
      try {
        await auth.api.changePassword({
          body: { currentPassword: present, newPassword: next },
          headers,
        });
        return true;
      } catch (error) {
        if (isRefusal(error)) return false;
        throw error;
      }
    },
  };
}

/** A secret for cookies that follows from the key that the services share already. */
export function deriveCookieSecret(privateKey: string): string {
  return createHash("sha256").update("rhumbatron:cookies:").update(privateKey).digest("hex");
}

function configure({ db, ids, secret, publicUrl }: Parameters<typeof createBetterAuthSignIn>[0]) {
  return betterAuth({
    appName: "Rhumbatron",
    baseURL: publicUrl,
    secret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: prismaAdapter(db, { provider: "postgresql" }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
    },
    // Counted in our own service, by what cannot be forged.
    rateLimit: { enabled: false },
    user: { modelName: "person" },
    account: { modelName: "credential", fields: { userId: "personId" } },
    verification: { modelName: "signInVerification" },
    session: {
      modelName: "signInSession",
      fields: { userId: "personId" },
      expiresIn: sessionSeconds,
      disableSessionRefresh: true,
    },
    advanced: {
      // What reaches us of an address on the network can be forged, so it is not kept.
      ipAddress: { disableIpTracking: true },
      cookiePrefix,
      useSecureCookies: publicUrl.startsWith("https:"),
      database: { generateId: () => ids.uuid() },
      defaultCookieAttributes: { sameSite: "lax", httpOnly: true, path: "/" },
    },
  });
}

function hasOwnCookie(headers: Headers): boolean {
  return (headers.get("cookie") ?? "").includes(`${cookiePrefix}.`);
}

function isRefusal(error: unknown): boolean {
  return error instanceof APIError && error.statusCode >= 400 && error.statusCode < 500;
}

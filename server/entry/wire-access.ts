import { join } from "node:path";
import { createAccess, type Access } from "../access/service";
import { createTokenStore } from "../access/store";
import type { Settings } from "../platform/config";
import { createTransactions } from "../platform/db";
import { dropFirstAdminLink } from "../people/first-admin-link";
import type { People } from "../people/deps";
import { createPeople } from "../people/service";
import { createBetterAuthSignIn } from "../people/sign-in-better-auth";
import { createPeopleStore, createPeopleWriter } from "../people/store";
import { createFailureLimit } from "../platform/failure-limit";
import type { SettingsService } from "../settings/service";
import { type Parts, publicUrlOf } from "./wire-parts";

/** Wrong tokens of all callers together, and wrong passwords for one address, before further ones are refused. */
const wrongTokenBound = { failuresMax: 300, windowMs: 60_000 };
const wrongPasswordBound = { failuresMax: 10, windowMs: 15 * 60_000 };

/** Tokens, and the bound on wrong ones. */
export function wireAccess({ db, clock, ids }: Parts, audit: SettingsService): Access {
  return createAccess({
    store: createTokenStore(db),
    storeIn: createTokenStore,
    transaction: createTransactions(db),
    noteAct: (tx, act) => audit.appendAudit(tx, act),
    wrongTokens: createFailureLimit({ clock, ...wrongTokenBound }),
    clock,
    ids,
  });
}

/** People, how they come in, and the bound on wrong passwords. */
export function wirePeople(
  { db, clock, ids, logger, settings, cookieSecret }: Parts,
  audit: SettingsService,
): People {
  return createPeople({
    store: createPeopleStore(db),
    writerIn: createPeopleWriter,
    transaction: createTransactions(db),
    signIn: createBetterAuthSignIn({ db, ids, secret: cookieSecret, publicUrl: publicUrlOf(settings) }),
    settings: audit,
    passwordLimit: createFailureLimit({ clock, ...wrongPasswordBound }),
    dropFirstAdminLink: () => dropFirstAdminLink(firstAdminLinkOf(settings).path),
    clock,
    ids,
    logger,
  });
}

/** Where the one-time link for the first admin is left. */
export function firstAdminLinkOf(settings: Settings): { publicUrl: string; path: string } {
  return { publicUrl: publicUrlOf(settings), path: join(settings.DATA_DIR, "first-admin-link") };
}

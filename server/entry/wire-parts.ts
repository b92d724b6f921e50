import { z } from "zod";
import { capOf } from "../meter/rules";
import type { Clock } from "../platform/clock";
import type { Settings } from "../platform/config";
import type { Db } from "../platform/db";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import type { ServiceTokenSigner } from "../platform/service-token";
import type { Sandboxes } from "../sandboxd/types";
import { createSettingsService, type SettingsService } from "../settings/service";
import { settingsOfEnvironment } from "../settings/rules";
import { createSettingStore } from "../settings/store";

/** Where the other processes are; `stack:up` and the compose file set these. */
export const webEnvironment = z.object({
  DATABASE_URL: z.string(),
  SANDBOXD_SOCKET: z.string(),
  GIT_URL: z.url(),
  GIT_CONTROL_URL: z.url(),
  EGRESS_CONTROL_URL: z.url(),
  SERVICE_PRIVATE_KEY_FILE: z.string(),
});
export type WebEnvironment = z.output<typeof webEnvironment>;

/** What everything is made of. */
export interface Parts {
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  environment: WebEnvironment;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  db: Db;
  signer: ServiceTokenSigner;
  cookieSecret: string;
  sandboxes: Sandboxes;
}

/** The address under which people and agents reach the dashboard, without a slash at its end. */
export function publicUrlOf(settings: Settings): string {
  return (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, "");
}

/** What admins changed at run time, before what the environment says. */
export function wireSettings({ db, ids, settings, env }: Parts): SettingsService {
  return createSettingsService({
    store: createSettingStore(db),
    ids,
    environment: settingsOfEnvironment(settings, env, {
      SANDBOX_MONTHLY_SECONDS: String(capOf(null, null).capSeconds),
    }),
  });
}

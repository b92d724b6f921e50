import type { Access } from "../access/service";
import type { Caller } from "../access/types";
import type { Reviewing } from "../changesets/reviewing";
import type { ChangeSets } from "../changesets/service";
import type { Demo } from "../demo/service";
import type { Allowlist } from "../egress/allowlist";
import type { Refusals } from "../egress/refusals";
import type { Events } from "../events/service";
import type { Inbox } from "../inbox/service";
import type { Intents } from "../intents/service";
import type { Meter } from "../meter/service";
import type { Clock } from "../platform/clock";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import type { People } from "../people/deps";
import type { SignedIn } from "../people/types";
import type { Projects } from "../projects/service";
import type { Sandboxes } from "../sandboxd/types";
import type { SettingsService } from "../settings/service";
import type { RunRecord } from "../workspaces/runs/types";
import type { Workspaces } from "../workspaces/service";
import type { Health } from "./health/health";

/** What every procedure can use: the services of this process, made once. */
export interface ApiDeps {
  access: Access;
  people: People;
  health: Health;
  projects: Projects;
  workspaces: Workspaces;
  changeSets: ChangeSets;
  reviewing: Reviewing;
  intents: Intents;
  inbox: Inbox;
  demo: Demo;
  meter: Pick<
    Meter,
    "secondsByRun" | "secondsByChange" | "current" | "days" | "history" | "sessions" | "setCap"
  >;
  allowlist: Allowlist;
  refusals: Pick<Refusals, "recent">;
  events: Pick<Events, "list" | "stream">;
  /** The settings that admins see, and who did what. */
  adminSettings: Pick<SettingsService, "list" | "listAudit">;
  sandboxes: Pick<Sandboxes, "list" | "find" | "remove">;
  /** The Runs of a Project that have not ended. */
  listLiveRuns: (projectId: string) => Promise<RunRecord[]>;
  settings: ApiSettings;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** Settings that answers show. */
export interface ApiSettings {
  /** Without a slash at its end. */
  publicUrl: string;
  /** `MAX_ACTIVE_SANDBOXES_PER_CHANGE`. */
  slotsMax: number;
  /** What one Sandbox may use. */
  sandboxLimits: { cpus: number; memoryBytes: number; processes: number; diskBytes: number };
}

/** What a procedure knows of one request. */
export interface ApiContext {
  deps: ApiDeps;
  /** Null when nobody proved who they are; the policies decide whether that is enough. */
  caller: Caller | null;
  /** The session by which a person proved it; null for tokens. */
  signedIn: SignedIn | null;
  /** Null where cookies play no part: another site's page, MCP, a call inside the server. */
  browser: Browser | null;
}

/** The browser that a request came from, for what sets cookies. */
export interface Browser {
  headers: Headers;
  setCookies(cookies: readonly string[]): void;
}

import type { Access } from "../access/service";
import type { Caller } from "../access/types";
import type { Ids } from "../platform/ids";
import type { Logger } from "../platform/logger";
import type { Health } from "./health/health";

/** What every procedure can use: the services of this process, made once. */
export interface ApiDeps {
  access: Access;
  health: Health;
  ids: Ids;
  logger: Logger;
}

/** What a procedure knows of one request. */
export interface ApiContext {
  deps: ApiDeps;
  /** Null when nobody proved who they are; the policies decide whether that is enough. */
  caller: Caller | null;
}

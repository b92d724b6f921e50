import type { Actor } from "../../access/types";
import type { Events } from "../../events/service";
import type { GitService } from "../../git/types";
import type { Clock } from "../../platform/clock";
import type { RunInTransaction, Transaction } from "../../platform/db";
import type { Ids } from "../../platform/ids";
import type { Logger } from "../../platform/logger";
import type { SettingsService } from "../../settings/service";
import type { HistoryWriter } from "../history/store";
import type { ChangeSetStore, ChangeSetWriter } from "../store";
import type { MergeStore } from "./store";

export interface MergesDeps {
  changeSets: ChangeSetStore;
  writerIn: (tx: Transaction) => ChangeSetWriter;
  store: MergeStore;
  mergesIn: (tx: Transaction) => MergeStore;
  git: Pick<GitService, "getHead" | "testMerge" | "merge">;
  /** The e-mail address of a person; null for a token. */
  emailOf: (actor: Actor) => Promise<string | null>;
  history: HistoryWriter;
  audit: Pick<SettingsService, "appendAudit">;
  events: Pick<Events, "append">;
  transaction: RunInTransaction;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

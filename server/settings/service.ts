import type { Actor } from "../access/types";
import type { Transaction } from "../platform/db";
import { DomainError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import { toStorableJson, toStorableText, type JsonValue } from "../platform/storable-text";
import { storedNameOf } from "./rules";
import type { SettingStore } from "./store";
import type { AuditPage, AuditRecord, SettingView } from "./types";

/** What admins changed at run time, and the list of who did what. */
export interface SettingsService {
  /** The stored value; null when the environment decides. */
  get(key: string): Promise<JsonValue>;
  /** Every setting that may be shown, and whether an admin, the environment or nobody chose its value. */
  list(): Promise<SettingView[]>;
  /**
   * Stores a value and its audit entry in the caller's transaction; null gives the setting back to the environment.
   * Errors: `conflict.stale` when `isExpected` does not hold for what is stored; nothing is changed then.
   * Concurrency: the row is held from the look at it to the end of the transaction.
   */
  set(tx: Transaction, change: SettingChange): Promise<void>;
  /** Notes one act in the transaction in which it happens. */
  appendAudit(tx: Transaction, entry: Omit<AuditRecord, "id">): Promise<void>;
  /** Newest first. */
  listAudit(input: AuditPage): Promise<AuditRecord[]>;
}

interface SettingChange {
  key: string;
  value: JsonValue;
  isExpected: (stored: JsonValue) => boolean;
  actor: Actor;
  action: string;
  at: Date;
}

/** `environment` is what holds where no admin set anything. */
export function createSettingsService(deps: {
  store: SettingStore;
  ids: Ids;
  environment: readonly SettingView[];
}): SettingsService {
  const { store, ids, environment } = deps;
  const appendAudit: SettingsService["appendAudit"] = (tx, entry) =>
    store.appendAudit(tx, {
      ...entry,
      subject: toStorableText(entry.subject),
      data: toStorableJson(entry.data),
      id: ids.uuid(),
    });
  return {
    get: (key) => store.find(key),
    list: async () => {
      const stored = await store.list();
      return environment.map((view) => {
        const value = stored.get(storedNameOf(view.name)) ?? null;
        if (value === null) return view;
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return { name: view.name, value: text, source: "setting" };
      });
    },
    set: async (tx, { key, value, isExpected, actor, action, at }) => {
      const stored = await store.lock(tx, key);
      if (!isExpected(stored)) {
        throw new DomainError("conflict.stale", "The setting was changed meanwhile. Look at it again.", {
          key,
          value: stored,
        });
      }
      await store.write(tx, { key, value, at, by: actor.id });
      await appendAudit(tx, { at, actor, action, subject: key, data: { before: stored, after: value } });
    },
    appendAudit,
    listAudit: (input) => store.listAudit(input),
  };
}

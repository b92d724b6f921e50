import type { Actor } from "../access/types";
import type { JsonObject } from "../platform/storable-text";

/** One act: who did what to what. Entries are only added. `data` holds no secret. */
export interface AuditRecord {
  id: string;
  at: Date;
  /** Null for the server itself. */
  actor: Actor | null;
  /** The procedure, as `usage.setCap`. */
  action: string;
  /** What was acted on: an id, or the name of a setting. */
  subject: string;
  data: JsonObject;
}

/** Which acts are looked at; null for all. `text` stands in a name, an act, a subject or the data, in any case of its letters. */
export interface AuditPage {
  subject: string | null;
  text: string | null;
  /** The id of the last entry of the page before. */
  after: string | null;
  limit: number;
}

/** A setting as an admin sees it. Text, as it would stand in the environment. */
export interface SettingView {
  name: string;
  value: string;
  source: "setting" | "environment" | "default";
}

import type { DbOrTransaction } from "../../platform/db";
import { toStorableText } from "../../platform/storable-text";
import type { SandboxEnd, SandboxLife } from "./types";

/** The table of Sandboxes that came and went. */
export interface SandboxLifeStore {
  /** Those whose end is not written. */
  listOpen(): Promise<SandboxLife[]>;
  /** Which of these are written, ended or not. */
  listKnown(runtimeIds: readonly string[]): Promise<string[]>;
  /** False when it is written already. */
  begin(life: SandboxLife): Promise<boolean>;
  /** False when its end is written already. */
  end(runtimeId: string, end: SandboxEnd): Promise<boolean>;
}

export function createSandboxLifeStore(db: DbOrTransaction): SandboxLifeStore {
  return {
    listOpen: () =>
      db.sandboxLife.findMany({
        where: { endedAt: null },
        select: { runtimeId: true, projectId: true, startedAt: true },
      }),
    listKnown: async (runtimeIds) => {
      const rows = await db.sandboxLife.findMany({
        where: { runtimeId: { in: [...runtimeIds] } },
        select: { runtimeId: true },
      });
      return rows.map(({ runtimeId }) => runtimeId);
    },
    begin: async (life) => {
      const { count } = await db.sandboxLife.createMany({ data: life, skipDuplicates: true });
      return count === 1;
    },
    end: async (runtimeId, { at, reason, detail }) => {
      const { count } = await db.sandboxLife.updateMany({
        where: { runtimeId, endedAt: null },
        data: {
          endedAt: at,
          endReason: reason,
          endDetail: detail === null ? null : toStorableText(detail),
        },
      });
      return count === 1;
    },
  };
}

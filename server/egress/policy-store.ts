import { open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { policySchema, type Policy } from "./schema";

/** Keeps the one policy in force beyond the life of the process. */
export interface PolicyStore {
  load(): Promise<
    { status: "found"; policy: Policy } | { status: "none" } | { status: "unreadable"; cause: unknown }
  >;
  /** When it resolves, the policy is on disk and survives a crash; before that, the one before it is whole. */
  save(policy: Policy): Promise<void>;
}

/** One file in a directory of the service's own. What is read back must still be a policy in every part. */
export function createDiskPolicyStore(directory: string): PolicyStore {
  const path = join(directory, "policy.json");
  return {
    load: async () => {
      try {
        return { status: "found", policy: policySchema.parse(JSON.parse(await readFile(path, "utf8"))) };
      } catch (cause) {
        const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
        return isMissing ? { status: "none" } : { status: "unreadable", cause };
      }
    },
    save: async (policy) => {
      await writeSynced(`${path}.next`, JSON.stringify(policy));
      await rename(`${path}.next`, path);
      const folder = await open(dirname(path), "r");
      await folder.sync().finally(() => folder.close());
    },
  };
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

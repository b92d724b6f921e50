import type { EngineTraits } from "./container-spec";
import type { EngineFacts } from "./engine";

/** The oldest API that knows every setting that keeps a Sandbox in. */
const oldestApi = 1.4;

/** Says what an engine can do beyond what every one can. */
export function traitsOf(facts: Pick<EngineFacts, "apiVersion" | "storageDriver">): EngineTraits {
  return {
    // overlay2 takes a size on xfs only, and only when it is mounted with project quotas, which the engine does not tell;
    // a refusal at create names the setting then.
    canBoundDisk: ["btrfs", "zfs"].includes(facts.storageDriver),
    hasPrivateCgroupNamespace: apiNumber(facts) >= 1.41,
  };
}

/** A sentence for the operator when this engine must not be used; null when it can be. */
export function describeUnfitness(facts: EngineFacts, runtime: string): string | null {
  if (apiNumber(facts) < oldestApi) {
    return `The engine speaks API ${facts.apiVersion}; Rhumbatron needs 1.40 or later, which is Docker 19.03.`;
  }
  if (!facts.runtimes.includes(runtime)) {
    return `The runtime ${runtime} is not known to the engine (it knows ${facts.runtimes.join(", ")}): register it, or set SANDBOX_RUNTIME.`;
  }
  return null;
}

function apiNumber(facts: Pick<EngineFacts, "apiVersion">): number {
  const [major = "0", minor = "0"] = facts.apiVersion.split(".");
  return Number(major) + Number(minor) / 100;
}

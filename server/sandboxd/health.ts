import type { Settings } from "../platform/config";
import { describeError } from "../platform/errors";
import type { SandboxEngine } from "./engine";
import { describeUnfitness, traitsOf } from "./engine-traits";
import type { SandboxNetworks } from "./networks";
import type { WarmPool } from "./warm-pool";

interface ComponentHealth {
  status: "ok" | "degraded" | "down";
  detail: string;
}

export interface SandboxdHealth extends ComponentHealth {
  components: {
    engine: ComponentHealth;
    image: ComponentHealth;
    networks: ComponentHealth;
    warm: ComponentHealth;
  };
}

/** Says what works and, in words for the operator, what does not and what to do. Never rejects. */
export async function describeSandboxdHealth(deps: {
  engine: SandboxEngine;
  networks: SandboxNetworks;
  warm: WarmPool;
  settings: Settings;
}): Promise<SandboxdHealth> {
  const { networks, warm } = deps;
  const [engine, image] = await Promise.all([describeEngine(deps), describeImage(deps)]);
  const faults = networks.faults();
  const components = {
    engine,
    image,
    networks: faults.length === 0 ? ok("Every sandbox network stands.") : degraded(`${faults.join("; ")}.`),
    warm: warm.fault === null ? ok(`${warm.count} started ahead.`) : degraded(warm.fault),
  };
  const list = Object.values(components);
  const worst = list.find((one) => one.status === "down") ?? list.find((one) => one.status === "degraded");
  return { status: worst?.status ?? "ok", detail: worst?.detail ?? "Sandboxes can be started.", components };
}

async function describeEngine({
  engine,
  settings,
}: {
  engine: SandboxEngine;
  settings: Settings;
}): Promise<ComponentHealth> {
  try {
    const facts = await engine.describe();
    const unfitness = describeUnfitness(facts, settings.SANDBOX_RUNTIME);
    if (unfitness !== null) return down(unfitness);
    const disk = traitsOf(facts).canBoundDisk
      ? "the engine bounds the disk"
      : "the supervisor watches the disk";
    return ok(`Docker ${facts.version}, ${settings.SANDBOX_RUNTIME}, ${facts.storageDriver}: ${disk}.`);
  } catch (error) {
    return down(describeError(error));
  }
}

async function describeImage({
  engine,
  settings,
}: {
  engine: SandboxEngine;
  settings: Settings;
}): Promise<ComponentHealth> {
  try {
    const imageId = await engine.findImage(settings.SANDBOX_IMAGE);
    if (imageId === null)
      return down(`The image ${settings.SANDBOX_IMAGE} is missing: run npm run stack:up, which builds it.`);
    return ok(`${settings.SANDBOX_IMAGE} is ${imageId.slice(0, 19)}.`);
  } catch {
    return down("The engine does not answer.");
  }
}

function ok(detail: string): ComponentHealth {
  return { status: "ok", detail };
}

function degraded(detail: string): ComponentHealth {
  return { status: "degraded", detail };
}

function down(detail: string): ComponentHealth {
  return { status: "down", detail };
}

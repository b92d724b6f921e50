import type { Settings } from "../platform/config";
import { purposeLabel, type Instance } from "../platform/instance";
import type { Logger } from "../platform/logger";
import { containerBody, networkNumberLabel, roleOfName, settingsLabel } from "./container-spec";
import type { Containers } from "./containers";
import type { ContainerSummary, SandboxEngine } from "./engine";
import { traitsOf } from "./engine-traits";
import type { Lifecycle } from "./lifecycle";
import type { SandboxNetworks } from "./networks";
import { parseSandboxId } from "./sandbox-id";
import type { WarmPool } from "./warm-pool";

interface TakeOverDeps {
  engine: SandboxEngine;
  containers: Containers;
  networks: SandboxNetworks;
  warm: WarmPool;
  lifecycle: Lifecycle;
  settings: Settings;
  instance: Instance;
  logger: Logger;
}

/**
 * Deals with containers of this instance that nobody here has to do with, as after a crash: one that runs under a
 * sandbox ID's name becomes its slot, a warm one with today's image and settings joins the pool, all others are removed.
 */
export async function takeOverContainers(
  deps: TakeOverDeps,
  list: readonly ContainerSummary[],
): Promise<void> {
  const { engine, containers, warm, lifecycle, instance } = deps;
  const strangers = list.filter(
    (one) => one.labels[purposeLabel] === "sandbox" && !containers.isTracked(one),
  );
  if (strangers.length === 0) return;
  const wantedSettings = await currentSettings(deps);
  for (const stranger of strangers) {
    const role = roleOfName(instance, stranger.name);
    const sandboxId = role?.kind === "project" ? parseSandboxId(role.sandboxId) : null;
    const facts = stranger.state === "running" ? await engine.findContainer(stranger.id) : null;
    if (containers.isTracked(stranger)) continue;
    const isFree = sandboxId !== null && !lifecycle.slots().some((slot) => slot.sandboxId === sandboxId);
    const isWarm = role?.kind === "warm" && stranger.labels[settingsLabel] === wantedSettings && warm.hasRoom;
    if (facts?.state === "running" && isFree) lifecycle.adopt(sandboxId, facts);
    else if (facts?.state === "running" && isWarm) warm.add(containers.adopt(facts));
    else removeStranger(deps, stranger);
  }
}

/** The label of a container made now; it covers image and settings. Null without an image. */
async function currentSettings({ engine, settings, instance }: TakeOverDeps): Promise<string | null> {
  const [imageId, facts] = await Promise.all([engine.findImage(settings.SANDBOX_IMAGE), engine.describe()]);
  if (imageId === null) return null;
  const body = containerBody({ settings, instance, imageId, traits: traitsOf(facts), networkNumber: 1 });
  return body.Labels[settingsLabel] ?? null;
}

function removeStranger(
  { containers, networks, logger }: TakeOverDeps,
  { id, name, state, labels }: ContainerSummary,
): void {
  logger.info({ containerId: id, name, state }, "removes a container that nobody uses");
  const networkNumber = Number(labels[networkNumberLabel]);
  networks.hold(networkNumber);
  containers.discard({ id, networkNumber });
}

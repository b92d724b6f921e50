import { instanceLabel, purposeLabel, type Instance } from "../platform/instance";
import type { SandboxService } from "../sandboxd/network-spec";
import { readContainer } from "./body-fields";
import type { Context, OwnedContainer, OwnedNetwork, Verdict } from "./types";
import { refused } from "./verdicts";

/** Decides on a container of this instance and of one of these purposes; refuses any other. */
export async function onContainer(
  { instance, lookups }: Context,
  reference: string,
  purposes: readonly string[],
  decide: (container: OwnedContainer) => Verdict,
): Promise<Verdict> {
  const found = await lookups.findContainer(reference);
  if (found === null) return { status: "absent", reason: `No such container: ${reference}` };
  return isOwn(found.labels, instance, purposes)
    ? decide(found)
    : refused(`The container is not a ${purposes.join(", ")} of this instance.`);
}

/** Decides on a sandbox network of this instance; refuses any other. */
export async function onNetwork(
  { instance, lookups }: Context,
  reference: string,
  decide: (network: OwnedNetwork) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  const found = await lookups.findNetwork(reference);
  if (found === null) return { status: "absent", reason: `No such network: ${reference}` };
  return isOwn(found.labels, instance, ["sandbox-network"])
    ? decide(found)
    : refused("The network is not a sandbox network of this instance.");
}

/** Decides on a sandbox network and the service that the body names; both are of this instance. */
export function onNetworkAndService(
  context: Context,
  reference: string,
  decide: (network: OwnedNetwork, container: OwnedContainer, service: SandboxService) => Verdict,
): Promise<Verdict> {
  const container = readContainer(context.body);
  if (container === null) return Promise.resolve(refused("The body names no container."));
  return onNetwork(context, reference, (one) =>
    onContainer(context, container, ["git", "egress"], (service) =>
      decide(one, service, service.labels[purposeLabel] === "git" ? "git" : "egress"),
    ),
  );
}

/** Whether the labels say this instance and one of these purposes. */
export function isOwn(
  labels: Readonly<Record<string, string>>,
  instance: Instance,
  purposes: readonly string[],
): boolean {
  return labels[instanceLabel] === instance.id && purposes.includes(labels[purposeLabel] ?? "");
}

/**
 * One installation on an engine. Every engine object of ours carries the label `rhumbatron.instance=<id>`, and only
 * objects with the own id are ever touched. The default instance has an empty suffix; every other one puts the first
 * eight characters of its id into each name, so that several live on one engine.
 */
export interface Instance {
  /** A uuid kept in DATA_DIR. */
  id: string;
  /** Empty for the default instance, else the id's first eight characters. */
  suffix: string;
}

export type Purpose = "sandbox" | "sandbox-network" | "service-network" | "git" | "egress";

export const instanceLabel = "rhumbatron.instance";
export const purposeLabel = "rhumbatron.purpose";

/** The labels that mark an engine object as ours. */
export function labelsOf(instance: Instance, purpose: Purpose): Record<string, string> {
  return { [instanceLabel]: instance.id, [purposeLabel]: purpose };
}

/** `rhumbatron-git`, or `rhumbatron-git-1a2b3c4d` for an instance that is not the default one. */
export function serviceContainerName(instance: Instance, service: "git" | "egress"): string {
  return withSuffix(instance, `rhumbatron-${service}`, "-");
}

/** The ordinary network on which git and egress reach the outside. */
export function serviceNetworkName(instance: Instance): string {
  return withSuffix(instance, "rhumbatron_services", "_");
}

/** `rhumbatron_sbx_3`, or `rhumbatron_sbx_1a2b3c4d_3`; `n` counts from 1. */
export function sandboxNetworkName(instance: Instance, prefix: string, n: number): string {
  return `${withSuffix(instance, prefix, "_")}_${n}`;
}

/** `rhumbatron-proj-<uuid>` or `rhumbatron-warm-<word>`; the suffix stands before the sandbox ID. */
export function sandboxContainerName(instance: Instance, name: string): string {
  return `${withSuffix(instance, "rhumbatron", "-")}-${name}`;
}

function withSuffix(instance: Instance, base: string, separator: string): string {
  return instance.suffix === "" ? base : `${base}${separator}${instance.suffix}`;
}

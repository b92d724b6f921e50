import { networkNumberLabel } from "../sandboxd/container-spec";

/** What an id or a name of the engine looks like in a path or a body. */
export const referencePattern = "([A-Za-z0-9][A-Za-z0-9_.-]*)";

/** The number of the sandbox network that a body is labelled with; null without one. */
export function readNumberLabel(body: unknown): number | null {
  const text = readPath(body, ["Labels", networkNumberLabel]);
  return typeof text === "string" && /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : null;
}

/** The subnet of a body that makes a network; empty without one. */
export function readSubnet(body: unknown): string {
  const subnet = readPath(body, ["IPAM", "Config", "0", "Subnet"]);
  return typeof subnet === "string" ? subnet : "";
}

/** The container that a body names; null when it is none that could be looked up. */
export function readContainer(body: unknown): string | null {
  const container = readPath(body, ["Container"]);
  return typeof container === "string" && new RegExp(`^${referencePattern}$`).test(container)
    ? container
    : null;
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}

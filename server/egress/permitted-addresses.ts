import type { Clock } from "../platform/clock";
import type { Permission } from "./judge";
import type { ResolveName } from "./resolver";

export type AddressesResult =
  | { status: "found"; addresses: string[] }
  | { status: "refused"; detail: string; address: string }
  | { status: "failed" };

/**
 * Resolves an allowed name once and looks at every address: a single one that may not be dialled refuses the name, so a
 * name cannot hide a private address behind a public one. Only what is given back here may be dialled.
 */
export async function findAddresses(input: {
  permission: Permission;
  resolve: ResolveName;
  clock: Clock;
  timeoutMs: number;
}): Promise<AddressesResult> {
  const { host, policy } = input.permission;
  const addresses = await resolveInTime(input, host);
  if (addresses === null || addresses.length === 0) return { status: "failed" };
  for (const address of addresses) {
    const range = policy.refusedAddressOf(host, address);
    if (range !== null) {
      return {
        status: "refused",
        detail: `the name resolves to an address that is refused (${range})`,
        address,
      };
    }
  }
  return { status: "found", addresses };
}

async function resolveInTime(
  input: { resolve: ResolveName; clock: Clock; timeoutMs: number },
  host: string,
): Promise<string[] | null> {
  const done = new AbortController();
  const inTime = input.clock.sleep(input.timeoutMs, done.signal).catch(() => {});
  try {
    return await Promise.race([input.resolve(host), inTime.then(() => null)]);
  } catch {
    return null;
  } finally {
    done.abort();
  }
}

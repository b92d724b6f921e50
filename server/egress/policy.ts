import { canonicalAddress, isAddressIn, refusedRangeOf } from "./address-ranges";
import { isHostMatching, parseHostPattern } from "./host-name";
import type { Policy } from "./schema";
import type { HostName } from "./types";

/** Answers the three questions of every request from one policy, without any input or output of its own. */
export interface PolicyInForce {
  readonly version: number;
  isAllowed(host: HostName): boolean;
  /** The one Sandbox of a source address; null when no entry or entries of several Sandboxes fit. */
  sandboxOf(sourceAddress: string): string | null;
  /** Why an address that the host resolved to may not be dialled, in words; null when it may. */
  refusedAddressOf(host: HostName, resolvedAddress: string): string | null;
}

export function compilePolicy(policy: Policy): PolicyInForce {
  const patterns = policy.allow.map((text) => parseHostPattern(text)).filter((pattern) => pattern !== null);
  const exact = new Set(patterns.filter((pattern) => !pattern.startsWith("*.")));
  const wildcards = patterns.filter((pattern) => pattern.startsWith("*."));
  const hostAddresses = new Set(policy.hostAddresses.map(canonicalAddress));
  const pins = Object.entries(policy.pinned).map(([pattern, text]) => ({
    pattern,
    address: canonicalAddress(text),
  }));

  return {
    version: policy.version,
    isAllowed: (host) => exact.has(host) || wildcards.some((pattern) => isHostMatching(host, pattern)),
    sandboxOf: (sourceAddress) => {
      const address = canonicalAddress(sourceAddress);
      if (address === null) return null;
      const owners = new Set(
        policy.sources
          .filter((source) =>
            "cidr" in source
              ? isAddressIn(address, source.cidr)
              : canonicalAddress(source.address) === address,
          )
          .map((source) => source.sandboxId),
      );
      const [owner] = owners;
      return owners.size === 1 && owner !== undefined ? owner : null;
    },
    refusedAddressOf: (host, resolvedAddress) => {
      const address = canonicalAddress(resolvedAddress);
      if (address === null) return "not an address";
      if (pins.some((pin) => pin.address === address && isHostMatching(host, pin.pattern))) return null;
      return (
        refusedRangeOf(resolvedAddress) ?? (hostAddresses.has(address) ? "an address of this machine" : null)
      );
    },
  };
}

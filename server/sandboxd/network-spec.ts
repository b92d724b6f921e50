import type { Settings } from "../platform/config";
import { labelsOf, sandboxNetworkName, type Instance } from "../platform/instance";
import { networkNumberLabel } from "./container-spec";

/** A range of IPv4 addresses: its first address as a number, and how many bits it fixes. */
export interface Subnet {
  base: number;
  prefix: number;
}

export type SandboxService = "git" | "egress";

/** The body of `POST /networks/create` for a Sandbox's network, whole. */
export interface NetworkBody {
  Name: string;
  CheckDuplicate: true;
  Driver: "bridge";
  Internal: true;
  Attachable: false;
  EnableIPv6: false;
  IPAM: { Driver: "default"; Config: [{ Subnet: string; IPRange: string }] };
  Options: Record<string, string>;
  Labels: Record<string, string>;
}

/** What stands in `EndpointConfig` when git or egress joins a Sandbox's network. */
export interface EndpointBody {
  Aliases: string[];
  IPAMConfig: { IPv4Address: string };
}

/**
 * Makes the one body that a Sandbox's network is created with: internal, and without an address on the host's side
 * (`inhibit_ipv4`), so that only containers on it can be reached from it. The Sandbox gets an address of the upper
 * half; the lower half has fixed places for git and egress. Source: Engine API 1.41, `POST /networks/create`.
 */
export function networkBody(input: {
  settings: Settings;
  instance: Instance;
  networkNumber: number;
  subnet: Subnet;
}): NetworkBody {
  const { settings, instance, networkNumber, subnet } = input;
  return {
    Name: sandboxNetworkName(instance, settings.SANDBOX_NETWORK, networkNumber),
    CheckDuplicate: true,
    Driver: "bridge",
    Internal: true,
    Attachable: false,
    EnableIPv6: false,
    IPAM: {
      Driver: "default",
      Config: [
        { Subnet: formatSubnet(subnet), IPRange: formatSubnet({ base: subnet.base + 8, prefix: 29 }) },
      ],
    },
    Options: { "com.docker.network.bridge.inhibit_ipv4": "true" },
    Labels: { ...labelsOf(instance, "sandbox-network"), [networkNumberLabel]: String(networkNumber) },
  };
}

/** git is always the second address of the subnet and egress the third; the first is the engine's. */
export function endpointBody(service: SandboxService, subnet: Subnet): EndpointBody {
  return {
    Aliases: [service],
    IPAMConfig: { IPv4Address: formatAddress(subnet.base + (service === "git" ? 2 : 3)) },
  };
}

const rangeBase = parseAddress("10.231.0.0") ?? 0;
const subnetCount = 4096;
const subnetAddresses = 16;

/** Every /28 of 10.231.0.0/16 in order. */
export function* sandboxSubnets(): Generator<Subnet> {
  for (let index = 0; index < subnetCount; index++)
    yield { base: rangeBase + index * subnetAddresses, prefix: 28 };
}

/** Reads `10.231.a.b/28` as one of the subnets above; null for any other text. */
export function parseSandboxSubnet(text: string): Subnet | null {
  const subnet = parseSubnet(text);
  if (subnet === null || subnet.prefix !== 28 || formatSubnet(subnet) !== text) return null;
  const offset = subnet.base - rangeBase;
  return offset >= 0 && offset < subnetCount * subnetAddresses && offset % subnetAddresses === 0
    ? subnet
    : null;
}

export function overlaps(one: Subnet, other: Subnet): boolean {
  return one.base < other.base + size(other) && other.base < one.base + size(one);
}

/** Reads `a.b.c.d/n`; null for anything else, IPv6 too. The address need not be the first of its range. */
export function parseSubnet(text: string): Subnet | null {
  const match = /^([0-9.]+)\/([0-9]{1,2})$/.exec(text);
  const address = parseAddress(match?.[1] ?? "");
  const prefix = Number(match?.[2] ?? Number.NaN);
  if (address === null || !(prefix >= 0 && prefix <= 32)) return null;
  return { base: address - (address % 2 ** (32 - prefix)), prefix };
}

function parseAddress(text: string): number | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255))
    return null;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

export function formatSubnet(subnet: Subnet): string {
  return `${formatAddress(subnet.base)}/${subnet.prefix}`;
}

function size(subnet: Subnet): number {
  return 2 ** (32 - subnet.prefix);
}

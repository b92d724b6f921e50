import { isIP } from "node:net";
import { z } from "zod";
import { isCidr } from "./address-ranges";
import { parseHostPattern } from "./host-name";

const address = z.string().refine((text) => isIP(text) !== 0 && !text.includes("%"), "is not an IP address");
const sandboxId = z.string().regex(/^proj-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "is not a sandbox ID");

const source = z.union([
  z.strictObject({ address, sandboxId }),
  z.strictObject({ cidr: z.string().refine(isCidr, "is not a CIDR"), sandboxId }),
]);

/**
 * What web pushes: who may reach what. Shape: `allow` holds names and `*.name`; `hostAddresses` are refused besides the
 * private ranges; `pinned` lets one address of one entry of `allow`
 * through although its range is refused; `sources` say
 * which address, or which network, is whose Sandbox. A higher `version` replaces a lower one, never the other way.
 */
export const policySchema = z.strictObject({
  version: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  allow: z
    .array(z.string().refine((text) => parseHostPattern(text) !== null, "is not a host name or *.name"))
    .max(10_000),
  hostAddresses: z.array(address).max(1_000),
  pinned: z.record(
    z
      .string()
      .refine((text) => parseHostPattern(text) === text, "is not a host name or *.name in lower case"),
    address,
  ),
  sources: z.array(source).max(10_000),
});

export type Policy = z.output<typeof policySchema>;

/** The claims of a pushed policy, beside those of every service token. */
export const policyClaimsSchema = z.object({ policy: policySchema });

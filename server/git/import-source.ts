import { isIP } from "node:net";
import { canonicalAddress, refusedRangeOf } from "../egress/address-ranges";
import type { ResolveName } from "../egress/resolver";

/** An address to import from, taken apart: `url` holds no credential, `authorization` is what they become on the wire. */
export interface ImportSource {
  url: string;
  /** `https://host:port/`, where alone the credentials may go. */
  origin: string;
  host: string;
  port: number;
  authorization: string | null;
  /** The credentials in every form in which they could turn up in a text. */
  secrets: string[];
}

export type ImportSourceResult =
  { status: "usable"; source: ImportSource } | { status: "refused"; detail: string };

export type DialResult =
  /** The addresses that alone may be dialled; null for a host that is one itself. */
  { status: "permitted"; addresses: string[] | null } | { status: "refused"; detail: string };

/** Reads an address: http or https, no fragment, nothing that a program could take for something else. */
export function parseImportSource(text: string): ImportSourceResult {
  if (!URL.canParse(text)) return { status: "refused", detail: "This is not an address." };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { status: "refused", detail: "Only http and https addresses can be imported." };
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === null || password === null)
    return { status: "refused", detail: "The credentials in the address are not encoded as they must be." };
  const encoded = Buffer.from(`${user}:${password}`).toString("base64");
  const hasCredentials = user !== "" || password !== "";
  const secrets = [password, url.password, encodeURIComponent(password), encoded, toBase64(password)];
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  plain.hash = "";
  return {
    status: "usable",
    source: {
      url: plain.href,
      origin: `${plain.origin}/`,
      host: plain.hostname.replace(/^\[|\]$/g, ""),
      port: Number(plain.port === "" ? (plain.protocol === "https:" ? 443 : 80) : plain.port),
      authorization: hasCredentials ? `Authorization: Basic ${encoded}` : null,
      // A token may also stand where the user name stands.
      secrets: [...secrets, ...(password === "" ? [user, url.username] : [])].filter(
        (secret) => secret !== "",
      ),
    },
  };
}

/**
 * Resolves the host once and looks at every address; only these may then be dialled. One that lies in a private or special
 * range, or is one of this machine's, refuses the host, unless the operator named it.
 */
export async function permitDial(
  source: ImportSource,
  deps: { resolve: ResolveName; allowedHosts: readonly string[]; hostAddresses: readonly string[] },
): Promise<DialResult> {
  const isAllowed = deps.allowedHosts.includes(source.host);
  const isLiteral = isIP(source.host) !== 0;
  const addresses = isLiteral ? [source.host] : await deps.resolve(source.host).catch(() => []);
  if (addresses.length === 0)
    return { status: "refused", detail: `The name ${source.host} could not be resolved.` };
  const own = new Set(deps.hostAddresses.map(canonicalAddress));
  const faultOf = (address: string): string | null => {
    const range = refusedRangeOf(address);
    if (range !== null) return `is an address of a refused range (${range})`;
    return own.has(canonicalAddress(address)) ? "is an address of this machine" : null;
  };
  const fault = addresses.map(faultOf).find((found) => found !== null);
  if (fault !== undefined && fault !== null && !isAllowed)
    return { status: "refused", detail: `${source.host} ${fault}; IMPORT_ALLOWED_HOSTS can name the host.` };
  return { status: "permitted", addresses: isLiteral ? null : addresses };
}

/** Takes the credentials out of a text, in every form that they may have. */
export function withoutSecrets(text: string, source: ImportSource): string {
  return source.secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}

/** The settings under which git dials exactly these addresses and says the credentials to this origin alone. */
export function importConfig(
  source: ImportSource,
  addresses: readonly string[] | null,
): Record<string, string> {
  const literals = addresses?.map((address) => (isIP(address) === 6 ? `[${address}]` : address)) ?? [];
  return {
    "protocol.http.allow": "always",
    "protocol.https.allow": "always",
    "http.followRedirects": "false",
    "http.proxy": "",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
    "credential.helper": "",
    ...(literals.length === 0
      ? {}
      : { "http.curloptResolve": `${source.host}:${source.port}:${literals.join(",")}` }),
    ...(source.authorization === null ? {} : { [`http.${source.origin}.extraHeader`]: source.authorization }),
  };
}

function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);

    return /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

function toBase64(text: string): string {
  return text === "" ? "" : Buffer.from(text).toString("base64");
}

import { existsSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { homedir, networkInterfaces } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError, parseSettings, type Settings } from "../../server/platform/config";
import { runCommand } from "./command";
import { OperatorError } from "./operator-error";

/** The folder that holds package.json. */
export const checkoutRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything that the operator's tool knows before it looks at the machine. */
export interface StackConfig {
  settings: Settings;
  /** Every setting that has a value, as text, the way the processes read it. */
  settingsEnv: Record<string, string>;
  /** Absolute. */
  dataDir: string;
  publicUrl: string;
  /** A file with certificates that builds and sandboxes trust besides the usual ones, absolute. */
  extraCaCerts: string | null;
  isRoot: boolean;
  /** What the command itself was started with. */
  env: Readonly<Record<string, string | undefined>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings and fills in what only this machine can tell: the registry that npm uses, the host's own
 * addresses, the monthly cap of a stack. Relative paths start at the checkout.
 */
export async function loadStackConfig(env: Environment): Promise<StackConfig> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const registryUrl = given["NPM_REGISTRY_URL"] ?? (await readNpmRegistry());
  const filled: Record<string, string | undefined> = {
    SANDBOX_MONTHLY_SECONDS: "72000",
    NPM_REGISTRY_URL: registryUrl,
    EGRESS_ALLOWLIST: hostOf(registryUrl),
    HOST_ADDRESSES: listHostAddresses(networkInterfaces()).join(","),
    ...given,
  };
  const settings = parse(filled);
  const extraCaCerts = given["EXTRA_CA_CERTS"] ?? given["NODE_EXTRA_CA_CERTS"];
  if (extraCaCerts !== undefined && !existsSync(resolve(checkoutRoot, extraCaCerts))) {
    throw new OperatorError(
      `The file of EXTRA_CA_CERTS or NODE_EXTRA_CA_CERTS is not there: ${extraCaCerts}.`,
    );
  }
  const settingsEnv: Record<string, string> = {};
  for (const name of Object.keys(settings)) {
    const value = filled[name];
    if (value !== undefined && value !== "") settingsEnv[name] = value;
  }
  const dataDir = resolve(checkoutRoot, settings.DATA_DIR);
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  return {
    settings,
    settingsEnv: { ...settingsEnv, DATA_DIR: dataDir, PORT: String(settings.PORT), PUBLIC_URL: publicUrl },
    dataDir,
    publicUrl,
    extraCaCerts: extraCaCerts === undefined ? null : resolve(checkoutRoot, extraCaCerts),
    isRoot: process.getuid?.() === 0,
    env,
  };
}

/**
 * The addresses of this host that no list of private ranges covers. Private ones are refused by egress anyway, and
 * leaving them out keeps the list the same while the engine's bridges come and go.
 */
export function listHostAddresses(
  interfaces: Readonly<Record<string, { address: string; internal: boolean }[] | undefined>>,
): string[] {
  const all = Object.values(interfaces).flatMap((entries) => entries ?? []);
  const kept = all.filter(({ address, internal }) => !internal && isIP(address) !== 0 && !isPrivate(address));
  return [...new Set(kept.map(({ address }) => address))].sort();
}

/** Where a base image that was built here is kept; machine-wide for root. */
export function imageCacheDir(config: Pick<StackConfig, "env" | "isRoot">): string {
  const named = config.env["XDG_CACHE_HOME"] ?? "";
  if (named !== "") return join(named, "rhumbatron");
  return config.isRoot && process.platform === "linux"
    ? "/var/cache/rhumbatron"
    : join(homedir(), ".cache", "rhumbatron");
}

const privateRanges = new BlockList();
for (const [address, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  privateRanges.addSubnet(address, prefix, "ipv4");
}
privateRanges.addSubnet("fc00::", 7, "ipv6");
privateRanges.addSubnet("fe80::", 10, "ipv6");

function isPrivate(address: string): boolean {
  return privateRanges.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

function parse(env: Environment): Settings {
  try {
    return parseSettings(env);
  } catch (error) {
    if (error instanceof ConfigError) throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}

async function readNpmRegistry(): Promise<string> {
  const { exitCode, stdout } = await runCommand("npm", ["config", "get", "registry"], { cwd: checkoutRoot });
  const url = stdout.trim();
  if (exitCode !== 0 || !URL.canParse(url)) {
    throw new OperatorError(
      "npm did not say which registry it uses: set NPM_REGISTRY_URL to the registry's address.",
    );
  }
  return url;
}

function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new OperatorError(`NPM_REGISTRY_URL is not an address: ${url}.`);
  return new URL(url).hostname;
}

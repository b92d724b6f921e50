import { createHash } from "node:crypto";
import type { Settings } from "../platform/config";
import { labelsOf, sandboxContainerName, sandboxNetworkName, type Instance } from "../platform/instance";

const bytesPerMib = 1_048_576;
/** What a Sandbox leaves free on the disk that it shares with the host. */
const diskFloorBytes = 1_073_741_824;
const caBundlePath = "/etc/ssl/certs/ca-certificates.crt";

export const networkNumberLabel = "rhumbatron.network";
export const settingsLabel = "rhumbatron.settings";

/** What differs between engines and changes how a Sandbox is asked for. */
export interface EngineTraits {
  canBoundDisk: boolean;
  hasPrivateCgroupNamespace: boolean;
}

/** The body of `POST /containers/create` for a Sandbox, whole: what is not in here is not sent and not let through. */
export interface ContainerBody {
  Image: string;
  Hostname: string;
  User: string;
  WorkingDir: string;
  Env: string[];
  Labels: Record<string, string>;
  HostConfig: Record<string, unknown>;
}

/**
 * Makes the one body that a Sandbox is ever created with. sandboxd sends it and the socket proxy compares with it, so
 * a setting that is not made here reaches no engine. The settings label is a hash over everything but the network.
 * Source: Engine API 1.41, `POST /containers/create`.
 */
export function containerBody(input: {
  settings: Settings;
  instance: Instance;
  /** `sha256:…`, never a tag. */
  imageId: string;
  traits: EngineTraits;
  networkNumber: number;
}): ContainerBody {
  const { settings, instance, imageId, traits, networkNumber } = input;
  const body: ContainerBody = {
    Image: imageId,
    Hostname: "sandbox",
    User: "0:0",
    WorkingDir: "/",
    Env: environment(settings),
    Labels: labelsOf(instance, "sandbox"),
    HostConfig: hostConfig(settings, traits),
  };
  const settingsHash = createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 16);
  return {
    ...body,
    Labels: { ...body.Labels, [networkNumberLabel]: String(networkNumber), [settingsLabel]: settingsHash },
    HostConfig: {
      ...body.HostConfig,
      NetworkMode: sandboxNetworkName(instance, settings.SANDBOX_NETWORK, networkNumber),
    },
  };
}

function hostConfig(settings: Settings, traits: EngineTraits): Record<string, unknown> {
  const memoryBytes = settings.SANDBOX_MEMORY_MB * bytesPerMib;
  const diskBytes = settings.SANDBOX_DISK_MB * bytesPerMib;
  return {
    Runtime: settings.SANDBOX_RUNTIME,
    NanoCpus: Math.round(settings.SANDBOX_CPUS * 1e9),
    Memory: memoryBytes,
    // Equal to Memory: no swap.
    MemorySwap: memoryBytes,
    PidsLimit: hostProcessesMax(settings),
    // What the supervisor needs to become a Run's uid, own its directories and end its processes. A Run has none.
    CapDrop: ["ALL"],
    CapAdd: ["SETUID", "SETGID", "CHOWN", "KILL", "DAC_OVERRIDE", "FOWNER"],
    // No seccomp entry: the engine's default profile stays on.
    SecurityOpt: ["no-new-privileges"],
    Privileged: false,
    Init: true,
    IpcMode: "private",
    ...(traits.hasPrivateCgroupNamespace ? { CgroupnsMode: "private" } : {}),
    ReadonlyRootfs: false,
    ShmSize: 64 * bytesPerMib,
    Tmpfs: { "/run": "rw,nosuid,nodev,noexec,size=16m,mode=755" },
    Ulimits: [
      { Name: "nofile", Soft: 4096, Hard: 4096 },
      { Name: "core", Soft: 0, Hard: 0 },
      { Name: "fsize", Soft: diskBytes, Hard: diskBytes },
    ],
    ...(traits.canBoundDisk ? { StorageOpt: { size: `${settings.SANDBOX_DISK_MB}M` } } : {}),
    // When the host runs out of memory, a Sandbox goes before the services.
    OomScoreAdj: 500,
    RestartPolicy: { Name: "no" },
    AutoRemove: false,
    LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "1" } },
    // The engine's own resolver still names git and egress; it has nobody to ask about other names.
    Dns: ["127.0.0.1"],
    DnsSearch: ["."],
  };
}

/**
 * gVisor uses about two processes of the host for each one inside, and ends when it gets none: there the supervisor
 * holds the Sandbox to SANDBOX_PIDS, and this only keeps the host safe.
 */
function hostProcessesMax(settings: Settings): number {
  return settings.SANDBOX_RUNTIME === "runsc" ? 3 * settings.SANDBOX_PIDS + 256 : settings.SANDBOX_PIDS;
}

/** What a command reaches by itself: the git service, and a server that it started, as tests of web frameworks do. */
const unproxiedHosts = "git,localhost,127.0.0.1,0.0.0.0,::1,[::1]";

function environment(settings: Settings): string[] {
  const proxy = "http://egress:3128";
  return Object.entries({
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LANG: "C.UTF-8",
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: unproxiedHosts,
    no_proxy: unproxiedHosts,
    NODE_EXTRA_CA_CERTS: caBundlePath,
    SSL_CERT_FILE: caBundlePath,
    GIT_SSL_CAINFO: caBundlePath,
    CURL_CA_BUNDLE: caBundlePath,
    BUN_CONFIG_REGISTRY: settings.NPM_REGISTRY_URL,
    npm_config_registry: settings.NPM_REGISTRY_URL,
    SANDBOX_DISK_BYTES_MAX: settings.SANDBOX_DISK_MB * bytesPerMib,
    SANDBOX_DISK_FLOOR_BYTES: diskFloorBytes,
    SANDBOX_IDLE_MS: settings.SANDBOX_IDLE_MS,
    SANDBOX_MEMORY_BYTES_MAX: settings.SANDBOX_MEMORY_MB * bytesPerMib,
    SANDBOX_PIDS_MAX: settings.SANDBOX_PIDS,
  }).map(([name, value]) => `${name}=${value}`);
}

/** How the supervisor is reached: the only exec there is, as root, without a terminal. */
export const supervisorExecBody = {
  AttachStdin: true,
  AttachStdout: true,
  AttachStderr: true,
  Tty: false,
  Cmd: ["nc", "-U", "-N", "/run/rhumbatron/supervisor.sock"],
  User: "0:0",
};

/** The body with which that exec is started. */
export const execStartBody = { Detach: false, Tty: false };

const warmWord = /^[0-9a-f]{32}$/;
const projectName = /^proj-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type ContainerRole = { kind: "warm" } | { kind: "project"; sandboxId: string };

/** `rhumbatron[-suffix]-warm-<word>`, the name under which every container begins. */
export function warmContainerName(instance: Instance, uuid: string): string {
  return sandboxContainerName(instance, `warm-${uuid.replaceAll("-", "")}`);
}

/** Says what a container of this instance is by its name; null when the name is none that sandboxd gives. */
export function roleOfName(instance: Instance, name: string): ContainerRole | null {
  const prefix = sandboxContainerName(instance, "");
  if (!name.startsWith(prefix)) return null;
  const rest = name.slice(prefix.length);
  if (rest.startsWith("warm-") && warmWord.test(rest.slice("warm-".length))) return { kind: "warm" };
  return projectName.test(rest) ? { kind: "project", sandboxId: rest } : null;
}

import { join } from "node:path";
import type { JWK } from "jose";
import type { Instance } from "../../server/platform/instance";
import type { CheckoutBuild } from "./build";
import type { DataLayout } from "./data-dir";
import type { HealthAddress } from "./health";
import type { InternalPorts } from "./ports";
import type { ProcessSpec } from "./processes";
import type { ServiceName, ServiceSpec } from "./services";
import { checkoutRoot, type StackConfig } from "./stack-config";

export const processNames = ["docker-proxy", "sandboxd", "web"] as const;
export type ProcessName = (typeof processNames)[number];

/** Everything that the parts of one installation are started with. */
export interface StackPlan {
  config: StackConfig;
  layout: DataLayout;
  instance: Instance;
  ports: InternalPorts;
  socketDir: string;
  engineSocketPath: string;
  build: CheckoutBuild;
  sandboxImageId: string;
  serviceImageId: string;
  servicePublicKey: JWK;
  databaseUrl: string;
}

/** git's folder and egress's memory of its policy, under DATA_DIR. */
export function serviceFolders(dataDir: string): Record<ServiceName, string> {
  return { git: join(dataDir, "repositories"), egress: join(dataDir, "egress") };
}

/** The user inside the service image, who owns both folders where root can give them away. */
export const serviceImageUser = { uid: 65_532, gid: 65_532 };

export function planService(plan: StackPlan, name: ServiceName): ServiceSpec {
  const { config, ports, serviceImageId, servicePublicKey } = plan;
  const inside = `/var/lib/rhumbatron/${name}`;
  const shared = {
    name,
    imageId: serviceImageId,
    // Who cannot give the folders to the image's user runs the services as themselves.
    user: config.isRoot ? null : `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
    arguments: [`/app/${name}.js`],
    binds: { [inside]: serviceFolders(config.dataDir)[name] },
  };
  const env = { ...instanceEnv(plan), SERVICE_PUBLIC_KEY: JSON.stringify(servicePublicKey) };
  return name === "git"
    ? {
        ...shared,
        env: {
          ...env,
          REPOSITORIES_DIR: inside,
          IMPORT_ALLOWED_HOSTS: config.settings.IMPORT_ALLOWED_HOSTS.join(","),
          HOST_ADDRESSES: config.settings.HOST_ADDRESSES.join(","),
        },
        ports: { 8080: ports.git, 8081: ports.gitControl },
      }
    : { ...shared, env: { ...env, STATE_DIR: inside }, ports: { 3129: ports.egressControl } };
}

export function planProcess(plan: StackPlan, name: ProcessName): ProcessSpec {
  const { build, socketDir, sandboxImageId, engineSocketPath } = plan;
  const proxySocket = socketPathOf(socketDir, "docker-proxy");
  const shared = { name, program: process.execPath, cwd: checkoutRoot };
  const env = { ...processEnv(plan.config.env), ...plan.config.settingsEnv, ...instanceEnv(plan) };
  switch (name) {
    case "docker-proxy":
      return {
        ...shared,
        arguments: ["dist/docker-proxy.js"],
        env: { ...env, DOCKER_PROXY_SOCKET: proxySocket, DOCKER_SOCKET: engineSocketPath },
        codeHash: build.bundleHashes["docker-proxy"],
      };
    case "sandboxd":
      return {
        ...shared,
        arguments: ["dist/sandboxd.js"],
        env: {
          ...env,
          DOCKER_PROXY_SOCKET: proxySocket,
          SANDBOXD_SOCKET: socketPathOf(socketDir, "sandboxd"),
        },
        // A new image under the same name is another one.
        codeHash: `${build.bundleHashes.sandboxd} ${sandboxImageId}`,
      };
    case "web":
      return {
        ...shared,
        arguments: [
          "node_modules/next/dist/bin/next",
          "start",
          "-p",
          String(plan.config.settings.PORT),
          "-H",
          "0.0.0.0",
        ],
        env: { ...env, ...webEnv(plan) },
        codeHash: build.webHash,
        stopGraceMs: 15_000,
      };
  }
}

/** Where each part answers `GET /health`; the dashboard is asked through its API. */
export function healthAddressOf(
  where: { ports: InternalPorts; socketDir: string },
  name: Exclude<ProcessName, "web"> | ServiceName,
): HealthAddress {
  switch (name) {
    case "docker-proxy":
    case "sandboxd":
      return { socketPath: socketPathOf(where.socketDir, name) };
    case "git":
      return { port: where.ports.gitControl };
    case "egress":
      return { port: where.ports.egressControl };
  }
}

function webEnv(plan: StackPlan): Record<string, string> {
  const { ports, socketDir, databaseUrl, layout } = plan;
  return {
    DATABASE_URL: databaseUrl,
    SANDBOXD_SOCKET: socketPathOf(socketDir, "sandboxd"),
    GIT_URL: `http://127.0.0.1:${ports.git}`,
    GIT_CONTROL_URL: `http://127.0.0.1:${ports.gitControl}`,
    EGRESS_CONTROL_URL: `http://127.0.0.1:${ports.egressControl}`,
    SERVICE_PRIVATE_KEY_FILE: layout.serviceKeyFile,
  };
}

function instanceEnv({ instance }: StackPlan): Record<string, string> {
  return { RHUMBATRON_INSTANCE: instance.id, RHUMBATRON_INSTANCE_SUFFIX: instance.suffix };
}

function socketPathOf(socketDir: string, name: "docker-proxy" | "sandboxd"): string {
  return join(socketDir, `${name}.sock`);
}

/** A process takes little of the operator's environment, so that it is the same whoever starts it. */
function processEnv(env: StackConfig["env"]): Record<string, string> {
  const taken = ["PATH", "HOME", "LANG", "NODE_EXTRA_CA_CERTS"].flatMap((name) => {
    const value = env[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(taken), NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
}

import { serviceContainerName, type Instance } from "../../server/platform/instance";
import { dataLayout, findInstance, socketDirOf, type DataLayout } from "./data-dir";
import { explainEngine, findEngine, listSocketPaths, type EngineFinding } from "./engine";
import { readHealth, readWebHealth, type Health } from "./health";
import { findImageId } from "./image-build";
import { healthAddressOf } from "./parts";
import { findRecordedProcess } from "./pid-record";
import { findPorts, type InternalPorts } from "./ports";
import { requireDatabase } from "./postgres";
import { recordPathOf } from "./processes";
import { findContainer } from "./services";
import type { StackConfig } from "./stack-config";

export interface PartStatus {
  part: string;
  isOk: boolean;
  /** `running`, `stopped`, `there`, `missing`. */
  state: string;
  detail: string;
}

/** Looks at every part of the installation. Changes nothing and never throws for a part that is not well. */
export async function readStatus(config: StackConfig): Promise<PartStatus[]> {
  const layout = dataLayout(config.dataDir);
  const instance = findInstance(config.dataDir);
  const ports = findPorts(layout.portsFile);
  if (instance === null || ports === null) {
    return [
      {
        part: "instance",
        isOk: false,
        state: "missing",
        detail: `nothing was started in ${config.dataDir} yet: npm run stack:up`,
      },
    ];
  }
  const where = { ports, socketDir: socketDirOf(instance) };
  const finding = await findEngine(listSocketPaths(config.env));
  return Promise.all([
    Promise.resolve(describeEngine(finding)),
    describeImage(config, finding),
    describeDatabase(config, layout),
    describeService({ name: "git", instance, finding, where }),
    describeService({ name: "egress", instance, finding, where }),
    describeProcess(layout, "docker-proxy", () => readHealth(healthAddressOf(where, "docker-proxy"))),
    describeProcess(layout, "sandboxd", () => readHealth(healthAddressOf(where, "sandboxd"))),
    describeProcess(layout, "web", () => readWebHealth(ports.dashboard ?? config.settings.PORT)),
  ]);
}

/** Lays the parts out in columns, one line a part. */
export function formatStatus(parts: readonly PartStatus[]): string {
  const width = (pick: (part: PartStatus) => string): number =>
    Math.max(...parts.map((part) => pick(part).length));
  const [partWidth, stateWidth] = [width(({ part }) => part), width(({ state }) => state)];
  return parts
    .map(({ part, isOk, state, detail }) =>
      `${isOk ? "✓" : "✗"} ${part.padEnd(partWidth)}  ${state.padEnd(stateWidth)}  ${detail}`.trimEnd(),
    )
    .join("\n");
}

function describeEngine(finding: EngineFinding): PartStatus {
  if (finding.status !== "ready") {
    const detail =
      finding.status === "absent"
        ? `nothing answers at ${finding.socketPaths.join(" or ")}; npm run stack:up starts one or says how`
        : explainEngine(finding, process.platform).message;
    return { part: "engine", isOk: false, state: "stopped", detail };
  }
  return {
    part: "engine",
    isOk: true,
    state: "running",
    detail: `${finding.engine.version} at ${finding.engine.socketPath}`,
  };
}

async function describeImage(config: StackConfig, finding: EngineFinding): Promise<PartStatus> {
  const name = config.settings.SANDBOX_IMAGE;
  const id = finding.status === "ready" ? await findImageId(finding.engine.docker, name) : null;
  return {
    part: "image",
    isOk: id !== null,
    state: id === null ? "missing" : "there",
    detail: `${name} ${id?.slice(7, 19) ?? ""}`,
  };
}

async function describeDatabase(config: StackConfig, layout: DataLayout): Promise<PartStatus> {
  const url = config.settings.DATABASE_URL;
  if (url === undefined) {
    const record = findRecordedProcess(recordPathOf(layout, "postgres"));
    return { part: "postgres", isOk: record !== null, ...stateOf(record), detail: "embedded" };
  }
  try {
    await requireDatabase(url);
    return { part: "postgres", isOk: true, state: "running", detail: "the server of DATABASE_URL" };
  } catch (error) {
    return {
      part: "postgres",
      isOk: false,
      state: "stopped",
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}

async function describeService(options: {
  name: "git" | "egress";
  instance: Instance;
  finding: EngineFinding;
  where: { ports: InternalPorts; socketDir: string };
}): Promise<PartStatus> {
  const { name, instance, finding, where } = options;
  const container =
    finding.status === "ready"
      ? await findContainer(finding.engine.docker, serviceContainerName(instance, name))
      : null;
  if (container?.State.Running !== true) {
    return {
      part: name,
      isOk: false,
      state: "stopped",
      detail: container === null ? "" : container.State.Status,
    };
  }
  return withHealth(name, await readHealth(healthAddressOf(where, name)));
}

async function describeProcess(
  layout: DataLayout,
  name: string,
  read: () => Promise<Health>,
): Promise<PartStatus> {
  if (findRecordedProcess(recordPathOf(layout, name)) === null)
    return { part: name, isOk: false, state: "stopped", detail: "" };
  return withHealth(name, await read());
}

function withHealth(part: string, health: Health): PartStatus {
  const isOk = health.status === "ok";
  return {
    part,
    isOk,
    state: "running",
    detail: isOk ? health.detail : `${health.status}: ${health.detail}`,
  };
}

function stateOf(record: object | null): { state: string } {
  return { state: record === null ? "stopped" : "running" };
}

import type Docker from "dockerode";
import { serviceContainerName, type Instance } from "../../server/platform/instance";
import { readContainerLog } from "./container-log";
import type { DataLayout } from "./data-dir";
import { readHealth, readWebHealth, type Health } from "./health";
import { OperatorError } from "./operator-error";
import { healthAddressOf, type ProcessName } from "./parts";
import { findRecordedProcess } from "./pid-record";
import type { InternalPorts } from "./ports";
import { lastLogLine, logPathOf, recordPathOf } from "./processes";
import type { Step } from "./progress";
import { findContainer, type ServiceName } from "./services";

const partDeadlineMs = 60_000;
const wholeDeadlineMs = 150_000;

interface Where {
  ports: InternalPorts;
  socketDir: string;
}

/** Waits until a process answers. Errors: an `OperatorError` with its last words when it ended or stays silent. */
export async function waitForProcess(
  options: Where & { layout: DataLayout; name: Exclude<ProcessName, "web"> },
): Promise<void> {
  const { layout, name } = options;
  await poll({
    read: () => readHealth(healthAddressOf(options, name)),
    isDone: (health) => health.status !== "unreachable",
    deadlineMs: partDeadlineMs,
    requireAlive: () => requireProcess(layout, name),
    explain: (health) => `${name} does not answer (${health.detail}); its log is ${logPathOf(layout, name)}`,
  });
}

/** Waits until a container answers. Errors: an `OperatorError` with its last words when it ended or stays silent. */
export async function waitForService(
  options: Where & { docker: Docker; instance: Instance; name: ServiceName },
): Promise<void> {
  const { docker, instance, name } = options;
  const containerName = serviceContainerName(instance, name);
  await poll({
    read: () => readHealth(healthAddressOf(options, name)),
    isDone: (health) => health.status !== "unreachable",
    deadlineMs: partDeadlineMs,
    requireAlive: async () => {
      const container = await findContainer(docker, containerName);
      if (container !== null && container.RestartCount < 3 && container.State.Status !== "exited") return;
      const said = container === null ? "it is gone" : await lastContainerLine(docker, containerName);
      throw new OperatorError(`The container ${containerName} does not stay up: ${said}.`);
    },
    explain: (health) =>
      `The container ${containerName} does not answer (${health.detail}); docker logs ${containerName} says more`,
  });
}

/** Waits until the dashboard says that all parts are well. Errors: an `OperatorError` that names those which are not. */
export async function waitForWhole(options: { layout: DataLayout; port: number; step: Step }): Promise<void> {
  const { layout, port, step } = options;
  await poll({
    read: async () => {
      const health = await readWebHealth(port);
      step.update(health.status === "unreachable" ? "the dashboard starts" : health.detail);
      return health;
    },
    isDone: (health) => health.status === "ok",
    deadlineMs: wholeDeadlineMs,
    requireAlive: () => requireProcess(layout, "web"),
    explain: (health) =>
      health.status === "unreachable"
        ? `The dashboard does not answer on port ${port} (${health.detail}); its log is ${logPathOf(layout, "web")}`
        : `Not every part became healthy: ${health.detail}`,
  });
}

function requireProcess(layout: DataLayout, name: ProcessName): Promise<void> {
  if (findRecordedProcess(recordPathOf(layout, name)) !== null) return Promise.resolve();
  const log = logPathOf(layout, name);
  return Promise.reject(
    new OperatorError(`The process ${name} ended at once: ${lastLogLine(log)} (its log is ${log}).`),
  );
}

async function lastContainerLine(docker: Docker, name: string): Promise<string> {
  const lines = (await readContainerLog(docker, name, 5)).trimEnd().split("\n");
  return lines.at(-1)?.trim().slice(0, 400) ?? "it wrote nothing";
}

async function poll(options: {
  read: () => Promise<Health>;
  isDone: (health: Health) => boolean;
  deadlineMs: number;
  requireAlive: () => Promise<void>;
  explain: (health: Health) => string;
}): Promise<void> {
  const endMs = performance.now() + options.deadlineMs;
  for (;;) {
    const health = await options.read();
    if (options.isDone(health)) return;
    await options.requireAlive();
    if (performance.now() > endMs) throw new OperatorError(`${options.explain(health)}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

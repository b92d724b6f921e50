import type { Clock } from "../platform/clock";
import { DomainError } from "../platform/errors";
import { ContainerEndedError } from "./container-end";
import type { SandboxEngine } from "./engine";
import { describeEngineFailure } from "./engine-failure";
import type { Supervisor } from "./supervisor";

/** Makes a supervisor's client on a fresh stream. */
export type ConnectSupervisor = (
  stream: Awaited<ReturnType<SandboxEngine["openSupervisorStream"]>>,
) => Supervisor;

/** Waits between attempts to reach a supervisor; the last one repeats. */
const retryWaitsMs = [25, 50, 100, 200, 400, 800, 1_500];
const statusDeadlineMs = 10_000;

/**
 * Connects to a container's supervisor and waits until it answers. Errors: what `inspect` throws when the container
 * cannot be used; `sandbox.engine_unavailable` or `sandbox.start_failed` after `patienceMs`.
 */
export async function reachSupervisor(input: {
  containerId: string;
  engine: SandboxEngine;
  connect: ConnectSupervisor;
  clock: Clock;
  inspect: () => Promise<void>;
  patienceMs: number;
}): Promise<Supervisor> {
  const { clock, inspect, patienceMs } = input;
  const deadlineMs = clock.monotonicMs() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt(input);
    } catch (error) {
      await onlyItsEnd(inspect());
      if (clock.monotonicMs() >= deadlineMs) {
        throw describeEngineFailure(error, "The supervisor in the sandbox does not answer.");
      }
      await clock.sleep(retryWaitsMs[Math.min(tries, retryWaitsMs.length - 1)] ?? 0);
    }
  }
}

async function attempt(input: {
  containerId: string;
  engine: SandboxEngine;
  connect: ConnectSupervisor;
  clock: Clock;
}): Promise<Supervisor> {
  const supervisor = input.connect(await input.engine.openSupervisorStream(input.containerId));
  try {
    await askStatus(supervisor, input.clock);
  } catch (error) {
    supervisor.close();
    throw error;
  }
  return supervisor;
}

/** The supervisor's status, or `sandbox.engine_unavailable` after 10 s. */
export async function askStatus(supervisor: Supervisor, clock: Clock): ReturnType<Supervisor["status"]> {
  const done = new AbortController();
  const overdue = clock.sleep(statusDeadlineMs, done.signal).then(() => {
    throw new DomainError("sandbox.engine_unavailable", "The supervisor in the sandbox does not answer.", {
      reason: "no_answer",
    });
  });
  overdue.catch(() => undefined);
  try {
    return await Promise.race([supervisor.status(), overdue]);
  } finally {
    done.abort();
  }
}

/** Waits for a look at the container; of its failures only the container's end counts. */
export async function onlyItsEnd(inspecting: Promise<void>): Promise<void> {
  try {
    await inspecting;
  } catch (error) {
    if (error instanceof ContainerEndedError) throw error;
  }
}

import type { Clock } from "../platform/clock";
import { DomainError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import { ContainerEndedError, describeEnd, type ContainerEnd } from "./container-end";
import { isEngineError, type SandboxEngine } from "./engine";
import type { Supervisor, SupervisorStatus } from "./supervisor";
import { askStatus, onlyItsEnd, reachSupervisor, type ConnectSupervisor } from "./supervisor-reach";
import type { SandboxRuntime } from "./types";

/** The way to one container's supervisor, kept up for as long as the container runs. */
export interface ContainerLink {
  readonly containerId: string;
  /**
   * Runs `act` on a live connection. When the connection is lost meanwhile it is mended, and `act` runs again if it
   * `isRepeatable`. Errors: `ContainerEndedError`; `sandbox.engine_unavailable` after `patienceMs` without a connection.
   */
  call<Value>(act: (supervisor: Supervisor) => Promise<Value>, options?: CallOptions): Promise<Value>;
  /** The supervisor's status. Does not count as activity. */
  status(): Promise<SupervisorStatus>;
  /** Looks at the container now, so that an end is known at once and not when the connection breaks. */
  check(): Promise<void>;
  /** Ends the link by decision: calls under way reject with this end. */
  end(end: ContainerEnd): void;
  /** Resolves once, with why the container cannot be used any more. */
  readonly ended: Promise<ContainerEnd>;
}

interface CallOptions {
  isRepeatable?: boolean;
  patienceMs?: number;
}

const patienceMsDefault = 15_000;
const statusPatienceMs = 10_000;

interface LinkDeps {
  containerId: string;
  engine: SandboxEngine;
  connect: ConnectSupervisor;
  clock: Clock;
  logger: Logger;
  runtime: SandboxRuntime;
  memoryMb: number;
}

export function createContainerLink(deps: LinkDeps): ContainerLink {
  const { containerId, engine, clock, logger, runtime, memoryMb } = deps;
  let current: Supervisor | null = null;
  let connecting: Promise<Supervisor> | null = null;
  let wasEngineLost = false;
  let end: ContainerEnd | null = null;
  let resolveEnded = (_end: ContainerEnd): void => {};
  const ended = new Promise<ContainerEnd>((resolve) => (resolveEnded = resolve));

  function finish(reason: ContainerEnd): void {
    if (end !== null) return;
    end = reason;
    current?.close();
    current = null;
    resolveEnded(reason);
  }

  /** Throws when the container cannot be used; returns when it runs. */
  async function inspect(): Promise<void> {
    const facts = await engine.findContainer(containerId).catch((error: unknown) => {
      if (isEngineError(error, "unavailable")) wasEngineLost = true;
      throw error;
    });
    const found = describeEnd(facts, { runtime, memoryMb, wasEngineLost });
    if (found !== null) finish(found);
    if (end !== null) throw new ContainerEndedError(end);
    wasEngineLost = false;
  }

  function connected(patienceMs: number): Promise<Supervisor> {
    if (end !== null) return Promise.reject(new ContainerEndedError(end));
    if (current !== null) return Promise.resolve(current);
    connecting ??= reachSupervisor({ ...deps, inspect, patienceMs })
      .then((supervisor) => {
        if (end !== null) {
          supervisor.close();
          throw new ContainerEndedError(end);
        }
        current = supervisor;
        void supervisor.closed.then(() => lost(supervisor));
        return supervisor;
      })
      .finally(() => (connecting = null));
    return connecting;
  }

  function lost(supervisor: Supervisor): void {
    if (current !== supervisor) return;
    current = null;
    // Mended at once, so that a container's death is noticed when it happens and not at the next call.
    connected(patienceMsDefault).catch((error: unknown) => noteOutOfReach(logger, containerId, error));
  }

  async function call<Value>(
    act: (supervisor: Supervisor) => Promise<Value>,
    { isRepeatable = true, patienceMs = patienceMsDefault }: CallOptions = {},
  ): Promise<Value> {
    for (;;) {
      const supervisor = await connected(patienceMs);
      try {
        return await act(supervisor);
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        lost(supervisor);
        if (end !== null) throw new ContainerEndedError(end);
        if (isRepeatable) continue;
        // The container may have died of it: then that is the answer.
        await onlyItsEnd(inspect());
        throw error;
      }
    }
  }

  return {
    containerId,
    call,
    status: () => call((supervisor) => askStatus(supervisor, clock), { patienceMs: statusPatienceMs }),
    check: inspect,
    end: finish,
    ended,
  };
}

function isConnectionLoss(error: unknown): boolean {
  return error instanceof DomainError && error.details["reason"] === "connection_lost";
}

function noteOutOfReach(logger: Logger, containerId: string, error: unknown): void {
  if (error instanceof ContainerEndedError) return;
  logger.warn({ containerId, err: error }, "a supervisor is out of reach");
}

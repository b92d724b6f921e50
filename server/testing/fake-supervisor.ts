import { DomainError } from "../platform/errors";
import type { Supervisor, SupervisorStatus } from "../sandboxd/supervisor";
import { interrupted } from "../sandboxd/commands";

/** A supervisor whose answers a test decides. Commands run until `finish`; losing the connection rejects what waits. */
export interface FakeSupervisor extends Supervisor {
  readonly state: SupervisorStatus;
  readonly started: string[];
  /** The keepForMs of each touch. */
  readonly touches: number[];
  lose(): void;
}

export function createFakeSupervisor(shared: {
  state: SupervisorStatus;
  started: string[];
  touches: number[];
}): FakeSupervisor {
  let rejectAll = (_error: Error): void => {};
  let resolveClosed = (): void => {};
  const broken = new Promise<never>((_resolve, reject) => (rejectAll = reject));
  broken.catch(() => undefined);
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  const lose = (): void => {
    rejectAll(new DomainError("sandbox.engine_unavailable", "lost", { reason: "connection_lost" }));
    resolveClosed();
  };
  const answer = <Value>(value: Value): Promise<Value> => Promise.race([broken, Promise.resolve(value)]);

  return {
    ...shared,
    lose,
    closed,
    close: lose,
    status: () => answer(shared.state),
    touch: (keepForMs) => answer(void shared.touches.push(keepForMs)),
    prepareRun: ({ directory }) => answer({ home: `${directory}/home`, tmp: `${directory}/tmp` }),
    removeRun: () => answer(undefined),
    startCommand: ({ commandId }) => answer(void shared.started.push(commandId)),
    followCommand: ({ commandId }) =>
      shared.started.includes(commandId)
        ? broken
        : answer(interrupted(commandId, "unknown_command", "unknown")),
    stopCommand: () => answer(undefined),
    readFile: () => answer({ bytes: new Uint8Array(0), sizeBytes: 0, mode: "0644", truncated: false }),
    writeFile: () => answer({ created: true, mode: "0644" }),
    listFiles: () => answer({ items: [], truncated: false }),
    deleteFile: () => answer({ deletedCount: 1 }),
  };
}

/** What a supervisor says of a Sandbox in which nothing happened yet. */
export function idleStatus(idleRemovalInMs = 120_000): SupervisorStatus {
  return {
    runtime: "runc",
    idleRemovalInMs,
    runningCommands: 0,
    usage: {
      cpuTimeMs: 0,
      memoryBytes: 1,
      memoryBytesMax: 2,
      processes: 1,
      processesMax: 2,
      diskBytes: 0,
      diskBytesMax: 1,
    },
    diskFreeBytes: 1,
  };
}

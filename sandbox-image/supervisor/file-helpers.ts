import type { Clock } from "../../server/platform/clock";
import { DomainError } from "../../server/platform/errors";
import type { SupervisorCalls } from "../../server/sandboxd/supervisor-protocol";
import { HelperLostError, startFileHelper, type FileHelper } from "./file-helper";
import { parseHelperAnswer, type FileMethod } from "./helper-answers";
import { SpawnExhaustedError } from "./spawn-as";

const requestMs = 5_000;
/** Deleting a tree takes as long as it has entries. */
const deleteMs = 60_000;
const queueLengthMax = 128;

/** The file helpers, one for each uid that has files touched. */
export interface FileHelpers {
  /** Starts the uid's helper ahead of its first use, before a process of the Run could look on. */
  ready(uid: number): Promise<void>;
  request<Method extends FileMethod>(
    method: Method,
    params: SupervisorCalls[Method]["params"],
    bytes: Uint8Array,
  ): Promise<{ value: SupervisorCalls[Method]["value"]; bytes: Uint8Array }>;
  pid(uid: number): number | null;
  /** Resolves when the uid's helper is gone. */
  end(uid: number): Promise<void>;
}

interface Seat {
  helper: FileHelper | null;
  line: Line;
}

export interface FileHelpersDeps {
  clock: Clock;
  /** The command line of a helper. */
  program: readonly string[];
  relieve: (forUid: number) => Promise<boolean>;
  /** Throws when the uid may have no helper. */
  check(uid: number): void;
}

export function createFileHelpers(deps: FileHelpersDeps): FileHelpers {
  const seats = new Map<number, Seat>();

  async function startHelper(uid: number): Promise<FileHelper> {
    const start = (): Promise<FileHelper> => {
      deps.check(uid);
      return startFileHelper({ uid, program: deps.program, clock: deps.clock });
    };
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof SpawnExhaustedError)) throw error;
      if (!(await deps.relieve(uid))) throw noProcess(error);
      return await start().catch((again: unknown) => {
        throw again instanceof SpawnExhaustedError ? noProcess(again) : again;
      });
    }
  }

  async function seated(uid: number, seat: Seat): Promise<FileHelper> {
    if (seat.helper?.isAlive) return seat.helper;
    const helper = await startHelper(uid);
    seat.helper = helper;
    // The Run was removed while its helper started.
    if (seats.get(uid) !== seat) await helper.kill();
    return helper;
  }

  async function inLine<Result>(uid: number, work: (seat: Seat) => Promise<Result>): Promise<Result> {
    const seat = seats.get(uid) ?? { helper: null, line: createLine() };
    seats.set(uid, seat);
    return seat.line(() => work(seat));
  }

  async function ask<Method extends FileMethod>(
    seat: Seat,
    method: Method,
    params: SupervisorCalls[Method]["params"],
    bytes: Uint8Array,
  ): Promise<{ value: SupervisorCalls[Method]["value"]; bytes: Uint8Array }> {
    const helper = await seated(params.uid, seat);
    const answer = await helper.request(
      method,
      params,
      bytes,
      method === "deleteFile" ? deleteMs : requestMs,
    );
    try {
      return { value: parseHelperAnswer(method, answer.value), bytes: answer.bytes };
    } catch (cause) {
      await helper.kill();
      throw new HelperLostError("the helper sent what is no answer", { cause });
    }
  }

  return {
    ready: (uid) => inLine(uid, async (seat) => void (await seated(uid, seat))),
    request: (method, params, bytes) =>
      inLine(params.uid, async (seat) => {
        deps.check(params.uid);
        const first = await ask(seat, method, params, bytes).catch(toLost);
        if (!(first instanceof HelperLostError)) return first;
        // The Run's own processes can kill its helper. Each call may be done twice: none adds to what is there.
        const second = await ask(seat, method, params, bytes).catch(toLost);
        if (!(second instanceof HelperLostError)) return second;
        throw new DomainError(
          "limit.rate",
          "The Run's files could not be reached. Ask again.",
          {},
          { cause: second },
        );
      }),
    pid: (uid) => {
      const helper = seats.get(uid)?.helper;
      return helper?.isAlive ? helper.pid : null;
    },
    end: async (uid) => {
      const helper = seats.get(uid)?.helper;
      seats.delete(uid);
      await helper?.kill();
    },
  };
}

/** Does one thing after the other. Errors: `limit.rate` when too many wait. */
type Line = <Result>(work: () => Promise<Result>) => Promise<Result>;

function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  let length = 0;
  return async (work) => {
    if (length >= queueLengthMax) throw new DomainError("limit.rate", "Too many file calls at once.");
    length += 1;
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn.finally(() => (length -= 1));
  };
}

function toLost(error: unknown): HelperLostError {
  if (error instanceof HelperLostError) return error;
  throw error;
}

function noProcess(cause: unknown): DomainError {
  return new DomainError("limit.rate", "The Sandbox has no process left for this. Ask again.", {}, { cause });
}

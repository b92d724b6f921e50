import type { Caller } from "../../access/types";
import { DomainError } from "../../platform/errors";
import type { OutputStream } from "../../sandboxd/types";
import type { WorkspaceDeps } from "../deps";
import { runScopeOf } from "../lifecycle/awake";
import { searchRun, type RunMatches, type RunSearchInput } from "./search";
import { isEnded } from "./state";
import type { OutputSlice, RunEventKind, RunEventRecord, RunEventView, RunRecord } from "./types";

/** How soon a new event is shown to whoever follows a Run. */
const pollMs = 200;
const pageSize = 100;

/** The log of a Run, by pages and live, and the whole output of its commands. */
export interface RunLog {
  /** In order, those after the event number `after`. */
  listEvents(
    caller: Caller,
    input: { runId: string; after: number; kinds: readonly RunEventKind[] | null; limit: number },
  ): Promise<RunEventView[]>;
  /** What of the log holds a text, output of commands included; in order, those after the event number `after`. */
  search(caller: Caller, input: RunSearchInput): Promise<RunMatches>;
  /** Every event after `lastSeq`, live and without a gap, until the Run has ended and all were given or `signal` aborts. */
  streamEvents(
    caller: Caller,
    input: { runId: string; lastSeq: number; signal: AbortSignal },
  ): AsyncGenerator<RunEventView, void>;
  /** Errors: `command.not_found`. */
  readOutput(
    caller: Caller,
    input: { runId: string; commandId: string; stream: OutputStream; offset: number; limit: number },
  ): Promise<OutputSlice>;
}

export function createRunLog(deps: WorkspaceDeps): RunLog {
  const { stores, clock } = deps;
  const getRun = async (caller: Caller, runId: string): Promise<RunRecord> => {
    const run = await stores.runs.find(runId, runScopeOf(caller));
    if (run === null) throw new DomainError("run.not_found", "There is no such run.");
    return run;
  };

  return {
    listEvents: async (caller, { runId, ...page }) => {
      await getRun(caller, runId);
      const events = await stores.runs.listEvents(runId, page);
      return Promise.all(events.map((event) => toView(deps, event)));
    },
    search: async (caller, input) => {
      await getRun(caller, input.runId);
      return searchRun(stores, input);
    },
    streamEvents: async function* (caller, { runId, lastSeq, signal }) {
      let after = lastSeq;
      while (!signal.aborted) {
        // Read before the events: a Run that has ended by now, its commands too, writes none after those read next.
        const { state } = await getRun(caller, runId);
        const isOver = isEnded(state) && (await stores.commands.listRunning(runId)).length === 0;
        const events = await stores.runs.listEvents(runId, { after, kinds: null, limit: pageSize });
        for (const event of events) {
          yield await toView(deps, event);
          after = event.seq;
        }
        if (events.length > 0) continue;
        if (isOver) return;
        await clock.sleep(pollMs, signal).catch(() => undefined);
      }
    },
    readOutput: async (caller, { runId, commandId, stream, offset, limit }) => {
      await getRun(caller, runId);
      const command = await stores.commands.find(runId, commandId);
      if (command === null) throw new DomainError("command.not_found", "This Run has no such command.");
      const bytes = await stores.commands.readOutput(commandId, { stream, offset, limit });
      const [totalBytes, keptBytes] =
        stream === "stdout"
          ? [command.stdoutBytes, command.stdoutKeptBytes]
          : [command.stderrBytes, command.stderrKeptBytes];
      return {
        base64: Buffer.from(bytes).toString("base64"),
        offset,
        totalBytes,
        complete: command.state !== "running" && offset + bytes.length >= keptBytes,
      };
    },
  };
}

/** The pieces of output stand once in the database, beside the events that tell of them. */
async function toView(deps: WorkspaceDeps, event: RunEventRecord): Promise<RunEventView> {
  const view = { seq: event.seq, at: event.at.toISOString(), kind: event.kind, data: event.data };
  if (event.kind !== "output") return view;
  const { commandId, stream, offset, byteCount } = event.data as {
    commandId: string;
    stream: OutputStream;
    offset: number;
    byteCount: number;
  };
  const bytes = await deps.stores.commands.readOutput(commandId, { stream, offset, limit: byteCount });
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return { ...view, data: { ...event.data, text, base64: Buffer.from(bytes).toString("base64") } };
}

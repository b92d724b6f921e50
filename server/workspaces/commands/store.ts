import { Prisma } from "../../../generated/prisma/client";
import type { DbOrTransaction } from "../../platform/db";
import { toStorableText } from "../../platform/storable-text";
import type { CommandEnd, OutputStream } from "../../sandboxd/types";

export type CommandState = "running" | "exited" | "timed_out" | "interrupted";

/** A command of a Run as it is stored. Kept bytes are those that `run.output` can still give. */
export interface CommandRecord {
  id: string;
  runId: string;
  text: string;
  argv: string[];
  state: CommandState;
  timeoutMs: number;
  isExclusive: boolean;
  exitCode: number | null;
  signal: string | null;
  reason: string | null;
  message: string | null;
  durationMs: number | null;
  stdoutBytes: number;
  stderrBytes: number;
  stdoutKeptBytes: number;
  stderrKeptBytes: number;
  stdoutTail: Uint8Array;
  stderrTail: Uint8Array;
  startedAt: Date;
  endedAt: Date | null;
}

export interface OutputPiece {
  stream: OutputStream;
  offset: number;
  bytes: Uint8Array;
}

export interface CommandStore {
  /** False when another exclusive command of the Run is running: the database refuses a second one. */
  start(command: {
    id: string;
    runId: string;
    text: string;
    argv: string[];
    timeoutMs: number;
    isExclusive: boolean;
    at: Date;
    followedUntil: Date;
  }): Promise<boolean>;
  find(runId: string, id: string): Promise<CommandRecord | null>;
  listRunning(runId?: string): Promise<CommandRecord[]>;
  /** Bun commands of a Run that started: what they wrote is not written again by a restore. */
  listExclusiveIds(runId: string): Promise<string[]>;
  /** Writes the end unless one is written already; says whether it did. Counts never fall below what is stored. */
  end(id: string, end: CommandEnd, at: Date): Promise<boolean>;
  /**
   * Appends what of a piece follows the stored bytes, and gives what that was; null when all of it is there already or
   * the command has ended. So two followers at once keep every byte once. Throws for a piece that would leave a gap.
   */
  appendOutput(id: string, piece: OutputPiece): Promise<OutputPiece | null>;
  readOutput(id: string, slice: { stream: OutputStream; offset: number; limit: number }): Promise<Uint8Array>;
  /** Takes over a command whose follower has gone quiet; says whether it is now ours. */
  claim(id: string, now: Date, until: Date): Promise<boolean>;
  keepFollowing(id: string, until: Date): Promise<void>;
}

const streamNumber = { stdout: 1, stderr: 2 } as const;

export function createCommandStore(db: DbOrTransaction): CommandStore {
  return { ...commandsOf(db), ...outputOf(db) };
}

function commandsOf(db: DbOrTransaction): Omit<CommandStore, "appendOutput" | "readOutput"> {
  return {
    start: async ({ at, ...command }) => {
      try {
        await db.command.create({
          data: { ...command, text: toStorableText(command.text), state: "running", startedAt: at },
        });
        return true;
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002") return false;
        throw error;
      }
    },
    find: async (runId, id) => {
      const row = await db.command.findFirst({ where: { id, runId } });
      return row === null ? null : toRecord(row);
    },
    listRunning: async (runId) => {
      const rows = await db.command.findMany({
        where: { state: "running", ...(runId === undefined ? {} : { runId }) },
      });
      return rows.map(toRecord);
    },
    listExclusiveIds: async (runId) => {
      const rows = await db.command.findMany({
        where: { runId, isExclusive: true },
        orderBy: { startedAt: "asc" },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },
    end: async (id, end, at) => {
      await db.$queryRaw`SELECT id FROM commands WHERE id = ${id}::uuid FOR UPDATE`;
      const stored = await db.command.findUnique({ where: { id } });
      const { count } = await db.command.updateMany({
        where: { id, state: "running" },
        data: {
          state: end.status,
          exitCode: end.exitCode,
          signal: end.signal,
          reason: end.reason,
          message: end.message === null ? null : toStorableText(end.message),
          durationMs: end.durationMs,
          // An end that nobody could be asked about says nothing of the output that had come by then.
          stdoutBytes: Math.max(end.stdoutBytes, Number(stored?.stdoutBytes ?? 0)),
          stderrBytes: Math.max(end.stderrBytes, Number(stored?.stderrBytes ?? 0)),
          stdoutTail: Buffer.from(end.stdoutTail),
          stderrTail: Buffer.from(end.stderrTail),
          endedAt: at,
        },
      });
      return count === 1;
    },
    claim: async (id, now, until) => {
      const { count } = await db.command.updateMany({
        where: { id, state: "running", OR: [{ followedUntil: null }, { followedUntil: { lt: now } }] },
        data: { followedUntil: until },
      });
      return count === 1;
    },
    keepFollowing: async (id, until) => {
      await db.command.updateMany({ where: { id, state: "running" }, data: { followedUntil: until } });
    },
  };
}

function outputOf(db: DbOrTransaction): Pick<CommandStore, "appendOutput" | "readOutput"> {
  return {
    appendOutput: async (id, { stream, offset, bytes }) => {
      await db.$queryRaw`SELECT id FROM commands WHERE id = ${id}::uuid FOR UPDATE`;
      const command = await db.command.findUnique({
        where: { id },
        select: { state: true, stdoutKeptBytes: true, stderrKeptBytes: true },
      });
      if (command?.state !== "running") return null;
      const keptBytes = stream === "stdout" ? command.stdoutKeptBytes : command.stderrKeptBytes;
      if (offset > keptBytes) throw new Error(`Output from ${keptBytes} to ${offset} of ${id} is missing.`);
      const rest = bytes.subarray(keptBytes - offset);
      if (rest.length === 0) return null;
      await db.commandOutput.create({
        data: { commandId: id, stream: streamNumber[stream], offset: keptBytes, bytes: Buffer.from(rest) },
        select: { offset: true },
      });
      const end = keptBytes + rest.length;
      await db.command.update({
        where: { id },
        data:
          stream === "stdout"
            ? { stdoutBytes: end, stdoutKeptBytes: end }
            : { stderrBytes: end, stderrKeptBytes: end },
        select: { id: true },
      });
      return { stream, offset: keptBytes, bytes: rest };
    },
    readOutput: async (id, { stream, offset, limit }) => {
      const rows = await db.$queryRaw<{ offset: number; bytes: Uint8Array }[]>`
        SELECT "offset", bytes FROM command_output
        WHERE command_id = ${id}::uuid AND stream = ${streamNumber[stream]}
          AND "offset" < ${offset + limit} AND "offset" + length(bytes) > ${offset}
        ORDER BY "offset"`;
      const pieces = rows.map((row) =>
        row.bytes.subarray(Math.max(0, offset - row.offset), Math.max(0, offset + limit - row.offset)),
      );
      return Buffer.concat(pieces);
    },
  };
}

type CommandRow = Prisma.CommandGetPayload<object>;

function toRecord({ followedUntil: _followedUntil, ...row }: CommandRow): CommandRecord {
  return {
    ...row,
    stdoutBytes: Number(row.stdoutBytes),
    stderrBytes: Number(row.stderrBytes),
    stdoutTail: row.stdoutTail ?? new Uint8Array(0),
    stderrTail: row.stderrTail ?? new Uint8Array(0),
  };
}

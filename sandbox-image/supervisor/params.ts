import { DomainError } from "../../server/platform/errors";
import type { SupervisorCalls } from "../../server/sandboxd/supervisor-protocol";
import type { FileTarget, RunUid } from "../../server/sandboxd/types";

const uidMin = 10_000;
const uidMax = 59_999;
const readBytesMax = 16 * 1024 * 1024;
const listLimitMax = 5_000;
const listDepthMax = 64;
const timeoutMsMax = 24 * 60 * 60 * 1000;
const modeMax = 0o777;

type Params<Method extends keyof SupervisorCalls> = SupervisorCalls[Method]["params"];

/** Each parser takes what a request carries and gives what the call needs, or throws `input.invalid` with the field. */
export function parseTouchParams(params: unknown): Params<"touch"> {
  return { keepForMs: integer(params, "keepForMs", 0, timeoutMsMax) };
}

export function parseRunParams(params: unknown): Params<"prepareRun"> {
  return { uid: parseUid(params), directory: text(params, "directory") };
}

export function parseCommandParams(params: unknown): Params<"startCommand"> {
  const argv = field(params, "argv");
  const env = field(params, "env");
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === "string")) throw invalid("argv");
  if (
    typeof env !== "object" ||
    env === null ||
    !Object.values(env).every((value) => typeof value === "string")
  ) {
    throw invalid("env");
  }
  return {
    commandId: parseCommandId(params),
    uid: parseUid(params),
    argv,
    cwd: text(params, "cwd"),
    env: env as Record<string, string>,
    timeoutMs: integer(params, "timeoutMs", 1, timeoutMsMax),
  };
}

export function parseFollowParams(params: unknown): Params<"followCommand"> {
  return {
    commandId: parseCommandId(params),
    stdoutOffset: integer(params, "stdoutOffset", 0, Number.MAX_SAFE_INTEGER),
    stderrOffset: integer(params, "stderrOffset", 0, Number.MAX_SAFE_INTEGER),
  };
}

export function parseStopParams(params: unknown): Params<"stopCommand"> {
  return { commandId: parseCommandId(params) };
}

export function parseReadParams(params: unknown): Params<"readFile"> {
  return {
    ...parseTarget(params),
    bytesMax: integer(params, "bytesMax", 0, readBytesMax),
    offset: integer(params, "offset", 0, Number.MAX_SAFE_INTEGER),
  };
}

export function parseWriteParams(params: unknown): Params<"writeFile"> {
  const mode = field(params, "mode") === null ? null : integer(params, "mode", 0, modeMax);
  return { ...parseTarget(params), mode };
}

export function parseListParams(params: unknown): Params<"listFiles"> {
  return {
    ...parseTarget(params),
    depth: integer(params, "depth", 1, listDepthMax),
    limit: integer(params, "limit", 1, listLimitMax),
    after: field(params, "after") === null ? null : text(params, "after"),
  };
}

export function parseDeleteParams(params: unknown): Params<"deleteFile"> {
  const recursive = field(params, "recursive");
  if (typeof recursive !== "boolean") throw invalid("recursive");
  return { ...parseTarget(params), recursive };
}

function parseTarget(params: unknown): FileTarget {
  return { uid: parseUid(params), root: text(params, "root"), path: text(params, "path") };
}

function parseUid(params: unknown): RunUid {
  return integer(params, "uid", uidMin, uidMax) as RunUid;
}

/** It becomes part of a file name, so it is checked to the letter. */
function parseCommandId(params: unknown): string {
  const commandId = text(params, "commandId");
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(commandId)) throw invalid("commandId");
  return commandId;
}

function field(params: unknown, name: string): unknown {
  return typeof params === "object" && params !== null
    ? (params as Record<string, unknown>)[name]
    : undefined;
}

function text(params: unknown, name: string): string {
  const value = field(params, name);
  if (typeof value !== "string") throw invalid(name);
  return value;
}

function integer(params: unknown, name: string, min: number, max: number): number {
  const value = field(params, name);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min || value > max)
    throw invalid(name);
  return value;
}

function invalid(name: string): DomainError {
  return new DomainError("input.invalid", `${name} cannot be used.`, { path: name });
}

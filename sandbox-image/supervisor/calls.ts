import { readFileSync } from "node:fs";
import type { RequestBody, SupervisorMethod } from "../../server/sandboxd/supervisor-protocol";
import type { SupervisorStatus } from "../../server/sandboxd/supervisor";
import type { CommandEnd, FileTarget } from "../../server/sandboxd/types";
import { DomainError } from "../../server/platform/errors";
import type { Activity } from "./activity";
import type { Cgroup } from "./cgroup";
import { endGraceMs, type EndCause } from "./command";
import type { Commands } from "./commands";
import type { DiskWatch } from "./disk-watch";
import type { FileHelpers } from "./file-helpers";
import { followCommand, type Follower } from "./follow";
import * as parse from "./params";
import type { Runs } from "./runs";
import type { SupervisorSettings } from "./settings";

export interface Result {
  value: unknown;
  bytes: Uint8Array;
}

/** What a connection may ask for. Every call but `status` counts as activity. */
export interface Calls {
  perform(method: SupervisorMethod, params: unknown, bytes: Uint8Array): Promise<Result>;
  follow(requestId: number, params: unknown, send: (frame: Uint8Array) => void): Follower;
}

export interface CallsDeps {
  settings: SupervisorSettings;
  activity: Activity;
  runs: Runs;
  commands: Commands;
  helpers: FileHelpers;
  cgroup: Cgroup;
  disk: DiskWatch;
}

const noBytes = new Uint8Array(0);

export function createCalls(deps: CallsDeps): Calls {
  const { activity, runs, commands, helpers, disk } = deps;

  /** A file call reaches only into the directory of the uid that it names. */
  function ownTarget<Params extends FileTarget>(params: Params): Params {
    if (runs.get(params.uid).directory !== params.root) {
      throw new DomainError("input.invalid", "This directory is not the Run's.");
    }
    return params;
  }

  async function performBody({ method, params }: RequestBody, bytes: Uint8Array): Promise<Result> {
    switch (method) {
      case "status":
        return { value: readStatus(deps), bytes: noBytes };
      case "touch":
        activity.keepFor(parse.parseTouchParams(params).keepForMs);
        return { value: null, bytes: noBytes };
      case "prepareRun": {
        const { uid, directory } = parse.parseRunParams(params);
        const { home, tmp } = runs.prepare(uid, directory);
        await helpers.ready(uid);
        return { value: { home, tmp }, bytes: noBytes };
      }
      case "removeRun": {
        const { uid, directory } = parse.parseRunParams(params);
        await runs.remove(uid, directory, async () => {
          await helpers.end(uid);
          await commands.interruptUid(uid, stopped("the Run was removed", 0));
        });
        disk.noteRemoval();
        return { value: null, bytes: noBytes };
      }
      case "startCommand":
        await commands.start(parse.parseCommandParams(params));
        return { value: null, bytes: noBytes };
      case "stopCommand": {
        const command = commands.find(parse.parseStopParams(params).commandId);
        await command?.interrupt(stopped("stopped on request", endGraceMs));
        return { value: null, bytes: noBytes };
      }
      case "readFile":
        return helpers.request("readFile", ownTarget(parse.parseReadParams(params)), noBytes);
      case "writeFile": {
        const target = ownTarget(parse.parseWriteParams(params));
        disk.checkRoomFor(target.uid, bytes.length);
        const result = await helpers.request("writeFile", target, bytes);
        disk.noteWrite();
        return result;
      }
      case "listFiles":
        return helpers.request("listFiles", ownTarget(parse.parseListParams(params)), noBytes);
      case "deleteFile": {
        const result = await helpers.request(
          "deleteFile",
          ownTarget(parse.parseDeleteParams(params)),
          noBytes,
        );
        disk.noteRemoval();
        return result;
      }
      case "followCommand":
        throw new DomainError("internal", "A command is followed, not performed.");
    }
  }

  return {
    perform: async (method, params, bytes) => {
      if (method !== "status") activity.mark();
      return performBody({ method, params }, bytes);
    },
    follow: (requestId, params, send) => {
      activity.mark();
      const { commandId, stdoutOffset, stderrOffset } = parse.parseFollowParams(params);
      const command = commands.find(commandId);
      if (command === null) return unknownCommand(commandId);
      return followCommand(command, { requestId, stdoutOffset, stderrOffset }, send);
    },
  };
}

function stopped(message: string, graceMs: number): EndCause {
  return { status: "interrupted", reason: "stopped", message, graceMs };
}

function unknownCommand(commandId: string): Follower {
  const end: CommandEnd = {
    status: "interrupted",
    commandId,
    exitCode: null,
    signal: null,
    durationMs: 0,
    reason: "unknown_command",
    message: "no command with this id is known in this Sandbox",
    stdoutBytes: 0,
    stderrBytes: 0,
    stdoutKeptBytes: 0,
    stderrKeptBytes: 0,
    stdoutTail: noBytes,
    stderrTail: noBytes,
  };
  return { credit: () => undefined, stop: () => undefined, done: Promise.resolve(end) };
}

function readStatus({ settings, activity, commands, cgroup, disk }: CallsDeps): SupervisorStatus {
  const runningCommands = commands.live().length;
  const { usedBytes, freeBytes } = disk.usage();
  return {
    runtime: readRuntime(),
    idleRemovalInMs: activity.removalInMs(runningCommands > 0),
    runningCommands,
    usage: {
      memoryBytes: cgroup.memoryBytes() ?? 0,
      memoryBytesMax: settings.memoryBytesMax ?? 0,
      processes: cgroup.processes() ?? 0,
      processesMax: settings.processesMax ?? 0,
      diskBytes: usedBytes,
      diskBytesMax: settings.diskBytesMax ?? 0,
      cpuTimeMs: cgroup.cpuTimeMs() ?? 0,
    },
    diskFreeBytes: freeBytes,
  };
}

/** gVisor's kernel calls itself by one fixed version and day; no Linux was built then. */
export function readRuntime(version = readFileSync("/proc/version", "utf8")): "runc" | "runsc" {
  return /gvisor|^Linux version 4\.4\.0 #1 SMP Sun Jan 10 15:06:54 PST 2016/i.test(version)
    ? "runsc"
    : "runc";
}

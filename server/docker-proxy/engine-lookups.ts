import type { EngineTraits } from "../sandboxd/container-spec";
import { traitsOf } from "../sandboxd/engine-traits";
import { askEngine } from "./engine-connection";
import type { Lookups } from "./types";

/** Looks objects up on the engine itself, anew for each call: an answer from before could be another object's. */
export function createEngineLookups(engineSocket: string): Lookups {
  const find = async <Raw>(target: string): Promise<Raw | null> => {
    const { status, body } = await askEngine(engineSocket, target);
    if (status === 404) return null;
    if (status !== 200) throw new Error(`The engine answered ${status} to ${target}.`);
    return body as Raw;
  };
  const get = async <Raw>(target: string): Promise<Raw> => {
    const found = await find<Raw>(target);
    if (found === null) throw new Error(`The engine does not know ${target}.`);
    return found;
  };

  return {
    findContainer: async (idOrName) => {
      const raw = await find<RawContainer>(`/containers/${idOrName}/json`);
      const isRunning = raw?.State.Running === true && !raw.State.Paused;
      return raw && { id: raw.Id, labels: raw.Config.Labels ?? {}, isRunning };
    },
    findNetwork: async (idOrName) => {
      const raw = await find<RawNetwork>(`/networks/${idOrName}`);
      return raw && { id: raw.Id, labels: raw.Labels ?? {}, subnet: raw.IPAM.Config?.[0]?.Subnet ?? null };
    },
    findExec: async (id) => {
      const raw = await find<RawExec>(`/exec/${id}/json`);
      if (raw === null) return null;
      const { entrypoint, arguments: rest, user, privileged } = raw.ProcessConfig;
      return {
        id: raw.ID,
        containerId: raw.ContainerID,
        argv: [entrypoint, ...(rest ?? [])],
        user: user ?? "",
        isPrivileged: privileged === true,
      };
    },
    findImageId: async (name) => (await find<{ Id: string }>(`/images/${name}/json`))?.Id ?? null,
    describeTraits: async (): Promise<EngineTraits> => {
      const [version, info] = await Promise.all([get<RawVersion>("/version"), get<RawInfo>("/info")]);
      return traitsOf({ apiVersion: version.ApiVersion, storageDriver: info.Driver });
    },
  };
}

interface RawContainer {
  Id: string;
  Config: { Labels: Record<string, string> | null };
  State: { Running: boolean; Paused: boolean };
}

interface RawNetwork {
  Id: string;
  Labels: Record<string, string> | null;
  IPAM: { Config?: { Subnet?: string }[] | null };
}

interface RawExec {
  ID: string;
  ContainerID: string;
  ProcessConfig: { entrypoint: string; arguments: string[] | null; user?: string; privileged?: boolean };
}

interface RawVersion {
  ApiVersion: string;
}

interface RawInfo {
  Driver: string;
}

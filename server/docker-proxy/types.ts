import type { Settings } from "../platform/config";
import type { Instance } from "../platform/instance";
import type { EngineTraits } from "../sandboxd/container-spec";
import type { RequestTarget } from "./request-target";

/** A call that sandboxd wants to make. `body` is parsed JSON, undefined when there is none. */
export interface ProxyRequest {
  method: string;
  target: string;
  body: unknown;
}

/** What the engine says of the objects that a call names; null when there is none. */
export interface Lookups {
  findContainer(idOrName: string): Promise<OwnedContainer | null>;
  findNetwork(idOrName: string): Promise<OwnedNetwork | null>;
  findExec(id: string): Promise<KnownExec | null>;
  findImageId(name: string): Promise<string | null>;
  describeTraits(): Promise<EngineTraits>;
}

/** A container with the labels that say whose it is. */
export interface OwnedContainer {
  id: string;
  labels: Readonly<Record<string, string>>;
  isRunning: boolean;
}

/** A network with the labels that say whose it is. */
export interface OwnedNetwork {
  id: string;
  labels: Readonly<Record<string, string>>;
  subnet: string | null;
}

interface KnownExec {
  id: string;
  containerId: string;
  argv: string[];
  user: string;
  isPrivileged: boolean;
}

/** What goes to the engine instead of the call: built here, never copied. */
export interface EngineCall {
  method: string;
  /** With query, without API version: the engine's newest. */
  target: string;
  body?: unknown;
  /** The connection becomes a raw stream. */
  isHijack?: true;
}

export type Verdict =
  { status: "forward"; call: EngineCall } | { status: "refused" | "absent"; reason: string };

/** What a call is judged by. */
export interface Context {
  settings: Settings;
  instance: Instance;
  lookups: Lookups;
  body: unknown;
  query: RequestTarget["query"];
}

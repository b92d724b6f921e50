import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../platform/config";
import { instanceLabel, purposeLabel, type Instance } from "../platform/instance";
import {
  containerBody,
  execStartBody,
  networkNumberLabel,
  roleOfName,
  supervisorExecBody,
  type EngineTraits,
} from "../sandboxd/container-spec";
import { endpointBody, networkBody, parseSandboxSubnet, type SandboxService } from "../sandboxd/network-spec";
import { parseRequestTarget, type RequestTarget } from "./request-target";

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

interface OwnedContainer {
  id: string;
  labels: Readonly<Record<string, string>>;
  isRunning: boolean;
}

interface OwnedNetwork {
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

interface Context {
  settings: Settings;
  instance: Instance;
  lookups: Lookups;
  body: unknown;
  query: RequestTarget["query"];
}

interface Rule {
  method: string;
  path: RegExp;
  queryKeys: readonly string[];
  hasBody: boolean;
  judge(context: Context, reference: string): Promise<Verdict>;
}

const any = "([A-Za-z0-9][A-Za-z0-9_.-]*)";

/**
 * Every call that sandboxd may make; whatever is not in here is refused.
 *
 * | call | allowed when | what goes to the engine |
 * | --- | --- | --- |
 * | GET _ping, version, info | always | the same |
 * | GET containers/json, networks | always | the own instance's label added to the filter |
 * | GET images/NAME/json | NAME is SANDBOX_IMAGE | the same |
 * | POST containers/create | the name is a warm one of ours, the body is exactly what container-spec makes, the network is ours | that body |
 * | GET containers/X/json | X is a Sandbox, git or egress of ours | by full id |
 * | POST containers/X/start, DELETE containers/X | X is a Sandbox of ours | by full id; removal by force |
 * | POST containers/X/rename | X is a Sandbox of ours and the new name a pattern of ours | by full id |
 * | POST containers/X/exec | X is a running Sandbox of ours and the body the supervisor's constant | by full id |
 * | POST exec/X/start | its container is a running Sandbox of ours and it runs the constant | raw stream |
 * | POST networks/create | the body is exactly what network-spec makes for a /28 of the range | that body |
 * | GET, DELETE networks/X | X is a Sandbox network of ours | by full id |
 * | POST networks/X/connect, disconnect | X is a Sandbox network of ours, the container git or egress of ours, the endpoint its fixed one | by full ids |
 */
const rules: readonly Rule[] = [
  plain("/_ping"),
  plain("/version"),
  plain("/info"),
  listing("/containers/json"),
  listing("/networks"),
  { method: "POST", path: /^\/containers\/create$/, queryKeys: ["name"], hasBody: true, judge: judgeCreate },
  {
    method: "GET",
    path: new RegExp(`^/containers/${any}/json$`),
    queryKeys: [],
    hasBody: false,
    judge: (context, reference) =>
      onContainer(context, reference, ["sandbox", "git", "egress"], (one) =>
        forward("GET", `/containers/${one.id}/json`),
      ),
  },
  {
    method: "POST",
    path: new RegExp(`^/containers/${any}/start$`),
    queryKeys: [],
    hasBody: false,
    judge: (context, reference) =>
      onContainer(context, reference, ["sandbox"], (one) => forward("POST", `/containers/${one.id}/start`)),
  },
  {
    method: "DELETE",
    path: new RegExp(`^/containers/${any}$`),
    queryKeys: ["force", "v"],
    hasBody: false,
    judge: (context, reference) =>
      onContainer(context, reference, ["sandbox"], (one) =>
        forward("DELETE", `/containers/${one.id}?force=true&v=true`),
      ),
  },
  {
    method: "POST",
    path: new RegExp(`^/containers/${any}/rename$`),
    queryKeys: ["name"],
    hasBody: false,
    judge: judgeRename,
  },
  {
    method: "POST",
    path: new RegExp(`^/containers/${any}/exec$`),
    queryKeys: [],
    hasBody: true,
    judge: judgeExec,
  },
  {
    method: "POST",
    path: /^\/exec\/([0-9a-f]{64})\/start$/,
    queryKeys: [],
    hasBody: true,
    judge: judgeExecStart,
  },
  { method: "POST", path: /^\/networks\/create$/, queryKeys: [], hasBody: true, judge: judgeNetworkCreate },
  network("GET"),
  network("DELETE"),
  {
    method: "POST",
    path: new RegExp(`^/networks/${any}/connect$`),
    queryKeys: [],
    hasBody: true,
    judge: judgeConnect,
  },
  {
    method: "POST",
    path: new RegExp(`^/networks/${any}/disconnect$`),
    queryKeys: [],
    hasBody: true,
    judge: judgeDisconnect,
  },
];

/** Decides on one call. What it cannot decide it refuses; a lookup that fails rejects, and nothing is forwarded. */
export async function judge(
  request: ProxyRequest,
  deps: { settings: Settings; instance: Instance; lookups: Lookups },
): Promise<Verdict> {
  const target = parseRequestTarget(request.target);
  if (target === null) return refused("The path or query is not in its plain form.");
  const context = { ...deps, body: request.body, query: target.query };
  if (request.method === "GET" && isImagePath(target.path, deps.settings)) return judgeImage(context);
  for (const rule of rules) {
    const match = rule.method === request.method ? rule.path.exec(target.path) : null;
    if (match === null) continue;
    const strangeKey = [...target.query.keys()].find((key) => !rule.queryKeys.includes(key));
    if (strangeKey !== undefined) return refused(`The query ${strangeKey} is not allowed here.`);
    if (!rule.hasBody && request.body !== undefined) return refused("This call has no body.");
    return rule.judge(context, match[1] ?? "");
  }
  return refused("sandboxd does not make this call.");
}

function plain(path: string): Rule {
  return {
    method: "GET",
    path: new RegExp(`^${path}$`),
    queryKeys: [],
    hasBody: false,
    judge: () => Promise.resolve(forward("GET", path)),
  };
}

function listing(path: string): Rule {
  return {
    method: "GET",
    path: new RegExp(`^${path}$`),
    queryKeys: ["all", "filters"],
    hasBody: false,
    judge: ({ instance }) => {
      const filters = encodeURIComponent(JSON.stringify({ label: [`${instanceLabel}=${instance.id}`] }));
      const all = path === "/containers/json" ? "all=true&" : "";
      return Promise.resolve(forward("GET", `${path}?${all}filters=${filters}`));
    },
  };
}

function network(method: "GET" | "DELETE"): Rule {
  return {
    method,
    path: new RegExp(`^/networks/${any}$`),
    queryKeys: [],
    hasBody: false,
    judge: (context, reference) =>
      onNetwork(context, reference, (one) => forward(method, `/networks/${one.id}`)),
  };
}

function isImagePath(path: string, settings: Settings): boolean {
  return path === `/images/${settings.SANDBOX_IMAGE}/json`;
}

function judgeImage({ settings, query, body }: Context): Promise<Verdict> {
  const isPlain = query.size === 0 && body === undefined;
  return Promise.resolve(
    isPlain
      ? forward("GET", `/images/${settings.SANDBOX_IMAGE}/json`)
      : refused("This call has neither query nor body."),
  );
}

async function judgeCreate({ settings, instance, lookups, body, query }: Context): Promise<Verdict> {
  const name = query.get("name") ?? "";
  if (roleOfName(instance, name)?.kind !== "warm")
    return refused("A container begins under a warm name of this instance.");
  const networkNumber = readNumberLabel(body);
  if (networkNumber === null) return refused("The body names no network of a Sandbox.");
  const imageId = await lookups.findImageId(settings.SANDBOX_IMAGE);
  if (imageId === null) return { status: "absent", reason: `No such image: ${settings.SANDBOX_IMAGE}` };
  const traits = await lookups.describeTraits();
  const allowed = containerBody({ settings, instance, imageId, traits, networkNumber });
  if (!isDeepStrictEqual(body, allowed))
    return refused("The body differs from what a Sandbox is created with.");
  const networkName = allowed.HostConfig["NetworkMode"];
  const found = typeof networkName === "string" ? await lookups.findNetwork(networkName) : null;
  if (found === null) return { status: "absent", reason: `No such network: ${String(networkName)}` };
  if (!isOwn(found.labels, instance, ["sandbox-network"]))
    return refused("The network is not one of this instance.");
  return {
    status: "forward",
    call: { method: "POST", target: `/containers/create?name=${name}`, body: allowed },
  };
}

async function judgeRename(context: Context, reference: string): Promise<Verdict> {
  const name = context.query.get("name") ?? "";
  if (roleOfName(context.instance, name) === null)
    return refused("The new name is none that sandboxd gives.");
  return onContainer(context, reference, ["sandbox"], (one) =>
    forward("POST", `/containers/${one.id}/rename?name=${name}`),
  );
}

async function judgeExec(context: Context, reference: string): Promise<Verdict> {
  if (!isDeepStrictEqual(context.body, supervisorExecBody))
    return refused("The only exec is the one to the supervisor.");
  return onContainer(context, reference, ["sandbox"], (one) =>
    one.isRunning
      ? {
          status: "forward",
          call: { method: "POST", target: `/containers/${one.id}/exec`, body: supervisorExecBody },
        }
      : refused("The container is not running."),
  );
}

async function judgeExecStart(context: Context, reference: string): Promise<Verdict> {
  if (!isDeepStrictEqual(context.body, execStartBody))
    return refused("An exec is started attached and without a terminal.");
  const exec = await context.lookups.findExec(reference);
  if (exec === null) return { status: "absent", reason: `No such exec: ${reference}` };
  const isConstant =
    isDeepStrictEqual(exec.argv, supervisorExecBody.Cmd) &&
    exec.user === supervisorExecBody.User &&
    !exec.isPrivileged;
  if (!isConstant) return refused("The only exec is the one to the supervisor.");
  return onContainer(context, exec.containerId, ["sandbox"], (one) =>
    one.isRunning
      ? {
          status: "forward",
          call: { method: "POST", target: `/exec/${exec.id}/start`, body: execStartBody, isHijack: true },
        }
      : refused("The container is not running."),
  );
}

function judgeNetworkCreate({ settings, instance, body }: Context): Promise<Verdict> {
  const networkNumber = readNumberLabel(body);
  const subnet = parseSandboxSubnet(readSubnet(body));
  if (networkNumber === null || subnet === null) {
    return Promise.resolve(refused("The body names no number or no /28 of the range of sandbox networks."));
  }
  const allowed = networkBody({ settings, instance, networkNumber, subnet });
  return Promise.resolve(
    isDeepStrictEqual(body, allowed)
      ? { status: "forward", call: { method: "POST", target: "/networks/create", body: allowed } }
      : refused("The body differs from what a sandbox network is created with."),
  );
}

async function judgeConnect(context: Context, reference: string): Promise<Verdict> {
  return onNetworkAndService(context, reference, (one, container, service) => {
    const subnet = parseSandboxSubnet(one.subnet ?? "");
    if (subnet === null) return refused("The network has no subnet of the range of sandbox networks.");
    const EndpointConfig = endpointBody(service, subnet);
    if (!isDeepStrictEqual(context.body, { Container: readContainer(context.body), EndpointConfig })) {
      return refused(`${service} joins a sandbox network under its own name and address only.`);
    }
    const body = { Container: container.id, EndpointConfig };
    return { status: "forward", call: { method: "POST", target: `/networks/${one.id}/connect`, body } };
  });
}

async function judgeDisconnect(context: Context, reference: string): Promise<Verdict> {
  return onNetworkAndService(context, reference, (one, container) => {
    if (!isDeepStrictEqual(context.body, { Container: readContainer(context.body), Force: true })) {
      return refused("The body has a container and Force, and nothing else.");
    }
    const body = { Container: container.id, Force: true };
    return { status: "forward", call: { method: "POST", target: `/networks/${one.id}/disconnect`, body } };
  });
}

async function onContainer(
  { instance, lookups }: Context,
  reference: string,
  purposes: readonly string[],
  decide: (container: OwnedContainer) => Verdict,
): Promise<Verdict> {
  const found = await lookups.findContainer(reference);
  if (found === null) return { status: "absent", reason: `No such container: ${reference}` };
  return isOwn(found.labels, instance, purposes)
    ? decide(found)
    : refused(`The container is not a ${purposes.join(", ")} of this instance.`);
}

async function onNetwork(
  { instance, lookups }: Context,
  reference: string,
  decide: (network: OwnedNetwork) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  const found = await lookups.findNetwork(reference);
  if (found === null) return { status: "absent", reason: `No such network: ${reference}` };
  return isOwn(found.labels, instance, ["sandbox-network"])
    ? decide(found)
    : refused("The network is not a sandbox network of this instance.");
}

function onNetworkAndService(
  context: Context,
  reference: string,
  decide: (network: OwnedNetwork, container: OwnedContainer, service: SandboxService) => Verdict,
): Promise<Verdict> {
  const container = readContainer(context.body);
  if (container === null) return Promise.resolve(refused("The body names no container."));
  return onNetwork(context, reference, (one) =>
    onContainer(context, container, ["git", "egress"], (service) =>
      decide(one, service, service.labels[purposeLabel] === "git" ? "git" : "egress"),
    ),
  );
}

function isOwn(
  labels: Readonly<Record<string, string>>,
  instance: Instance,
  purposes: readonly string[],
): boolean {
  return labels[instanceLabel] === instance.id && purposes.includes(labels[purposeLabel] ?? "");
}

function readNumberLabel(body: unknown): number | null {
  const text = readPath(body, ["Labels", networkNumberLabel]);
  return typeof text === "string" && /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : null;
}

function readSubnet(body: unknown): string {
  const subnet = readPath(body, ["IPAM", "Config", "0", "Subnet"]);
  return typeof subnet === "string" ? subnet : "";
}

function readContainer(body: unknown): string | null {
  const container = readPath(body, ["Container"]);
  return typeof container === "string" && new RegExp(`^${any}$`).test(container) ? container : null;
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}

function forward(method: string, target: string): Verdict {
  return { status: "forward", call: { method, target } };
}

function refused(reason: string): Verdict {
  return { status: "refused", reason };
}

import type { Settings } from "../platform/config";
import { instanceLabel, type Instance } from "../platform/instance";
import { referencePattern } from "./body-fields";
import { judgeCreate, judgeExec, judgeExecStart, judgeRename } from "./container-rules";
import { judgeConnect, judgeDisconnect, judgeNetworkCreate } from "./network-rules";
import { onContainer, onNetwork } from "./ownership";
import { parseRequestTarget } from "./request-target";
import type { Context, Lookups, ProxyRequest, Verdict } from "./types";
import { forward, refused } from "./verdicts";

interface Rule {
  method: string;
  path: RegExp;
  queryKeys: readonly string[];
  hasBody: boolean;
  judge(context: Context, reference: string): Promise<Verdict>;
}

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
    path: new RegExp(`^/containers/${referencePattern}/json$`),
    queryKeys: [],
    hasBody: false,
    judge: (context, reference) =>
      onContainer(context, reference, ["sandbox", "git", "egress"], (one) =>
        forward("GET", `/containers/${one.id}/json`),
      ),
  },
  {
    method: "POST",
    path: new RegExp(`^/containers/${referencePattern}/start$`),
    queryKeys: [],
    hasBody: false,
    judge: (context, reference) =>
      onContainer(context, reference, ["sandbox"], (one) => forward("POST", `/containers/${one.id}/start`)),
  },
  {
    method: "DELETE",
    path: new RegExp(`^/containers/${referencePattern}$`),
    queryKeys: ["force", "v"],
    hasBody: false,
    judge: (context, reference) =>
      onContainer(context, reference, ["sandbox"], (one) =>
        forward("DELETE", `/containers/${one.id}?force=true&v=true`),
      ),
  },
  {
    method: "POST",
    path: new RegExp(`^/containers/${referencePattern}/rename$`),
    queryKeys: ["name"],
    hasBody: false,
    judge: judgeRename,
  },
  {
    method: "POST",
    path: new RegExp(`^/containers/${referencePattern}/exec$`),
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
    path: new RegExp(`^/networks/${referencePattern}/connect$`),
    queryKeys: [],
    hasBody: true,
    judge: judgeConnect,
  },
  {
    method: "POST",
    path: new RegExp(`^/networks/${referencePattern}/disconnect$`),
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
    path: new RegExp(`^/networks/${referencePattern}$`),
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

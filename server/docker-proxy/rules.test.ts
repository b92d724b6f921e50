import { describe, expect, it } from "vitest";
import { parseSettings } from "../platform/config";
import { labelsOf } from "../platform/instance";
import { containerBody, execStartBody, supervisorExecBody } from "../sandboxd/container-spec";
import { endpointBody, networkBody, parseSandboxSubnet, type Subnet } from "../sandboxd/network-spec";
import { judge } from "./rules";
import type { Lookups, Verdict } from "./types";

const settings = parseSettings({});
const instance = { id: "00000000-0000-4000-8000-000000000001", suffix: "00000000" };
const other = { id: "00000000-0000-4000-8000-000000000002", suffix: "00000000" };
const imageId = `sha256:${"1".repeat(64)}`;
const traits = { canBoundDisk: false, hasPrivateCgroupNamespace: true };
const warmName = `rhumbatron-00000000-warm-${"a".repeat(32)}`;
const execId = "e".repeat(64);
const readSubnet = (text: string): Subnet => {
  const subnet = parseSandboxSubnet(text);
  if (subnet === null) throw new Error("a subnet");
  return subnet;
};
const subnet = readSubnet("10.231.0.16/28");
const create = containerBody({ settings, instance, imageId, traits, networkNumber: 2 });

const containers: Record<string, { labels: Record<string, string>; isRunning: boolean }> = {
  mine: { labels: labelsOf(instance, "sandbox"), isRunning: true },
  stopped: { labels: labelsOf(instance, "sandbox"), isRunning: false },
  theirs: { labels: labelsOf(other, "sandbox"), isRunning: true },
  git: { labels: labelsOf(instance, "git"), isRunning: true },
  strange: { labels: {}, isRunning: true },
};

const lookups: Lookups = {
  findContainer: (name) => {
    const found = Object.hasOwn(containers, name) ? containers[name] : undefined;
    return Promise.resolve(found === undefined ? null : { id: `id-of-${name}`, ...found });
  },
  findNetwork: (name) => {
    const owner = name === "theirs" ? other : instance;
    const isThere = name === "theirs" || name === "mine" || name === "rhumbatron_sbx_00000000_2";
    const found = {
      id: `id-of-${name}`,
      labels: labelsOf(owner, "sandbox-network"),
      subnet: "10.231.0.16/28",
    };
    return Promise.resolve(isThere ? found : null);
  },
  findExec: (id) =>
    Promise.resolve(
      id === execId
        ? { id, containerId: "mine", argv: supervisorExecBody.Cmd, user: "0:0", isPrivileged: false }
        : { id, containerId: "mine", argv: ["sh"], user: "0:0", isPrivileged: false },
    ),
  findImageId: () => Promise.resolve(imageId),
  describeTraits: () => Promise.resolve(traits),
};

const decide = (method: string, target: string, body?: unknown): Promise<Verdict> =>
  judge({ method, target, body }, { settings, instance, lookups });

describe("the socket proxy's rules", () => {
  it("let through what sandboxd sends, by full id and as a call of their own making", async () => {
    expect(await decide("POST", `/v1.41/containers/create?name=${warmName}`, create)).toEqual({
      status: "forward",
      call: { method: "POST", target: `/containers/create?name=${warmName}`, body: create },
    });
    expect(await decide("DELETE", "/containers/mine?force=true&v=true")).toEqual({
      status: "forward",
      call: { method: "DELETE", target: "/containers/id-of-mine?force=true&v=true" },
    });
    expect(await decide("POST", `/exec/${execId}/start`, execStartBody)).toMatchObject({
      call: { isHijack: true },
    });
    const endpoint = { Container: "git", EndpointConfig: endpointBody("git", subnet) };
    expect(await decide("POST", "/networks/mine/connect", endpoint)).toMatchObject({
      status: "forward",
      call: { target: "/networks/id-of-mine/connect", body: { ...endpoint, Container: "id-of-git" } },
    });
    const network = networkBody({ settings, instance, networkNumber: 2, subnet });
    expect(await decide("POST", "/networks/create", network)).toMatchObject({ status: "forward" });
    expect(await decide("GET", "/images/rhumbatron/sandbox:local/json")).toMatchObject({ status: "forward" });
  });

  it("add the own instance to every list, whatever the caller's filter", async () => {
    const verdict = await decide("GET", `/containers/json?filters=${encodeURIComponent('{"label":["x"]}')}`);
    expect(verdict).toEqual({
      status: "forward",
      call: {
        method: "GET",
        target: `/containers/json?all=true&filters=${encodeURIComponent(`{"label":["rhumbatron.instance=${instance.id}"]}`)}`,
      },
    });
  });

  it.each([
    ["POST", `/containers/create?name=${warmName}`, { ...create, Cmd: ["sh"] }],
    [
      "POST",
      `/containers/create?name=${warmName}`,
      { ...create, HostConfig: { ...create.HostConfig, Privileged: true } },
    ],
    [
      "POST",
      `/containers/create?name=${warmName}`,
      JSON.parse(JSON.stringify(create).replace("{", '{"__proto__":{"a":1},')),
    ],
    ["POST", `/containers/create?name=${warmName}`, { ...create, Image: "rhumbatron/sandbox:local" }],
    ["POST", `/containers/create?name=evil`, create],
    ["POST", "/containers/create", create],
    ["DELETE", "/containers/theirs"],
    ["DELETE", "/containers/git"],
    ["DELETE", "/containers/strange"],
    ["POST", "/containers/mine/rename?name=evil"],
    ["POST", "/containers/git/exec", supervisorExecBody],
    ["POST", "/containers/stopped/exec", supervisorExecBody],
    ["POST", "/containers/mine/exec", { ...supervisorExecBody, Env: [] }],
    ["POST", `/exec/${"f".repeat(64)}/start`, execStartBody],
    ["POST", `/exec/${execId}/start`, { Detach: true, Tty: false }],
    ["GET", "/networks/theirs"],
    ["POST", "/networks/mine/connect", { Container: "mine", EndpointConfig: endpointBody("git", subnet) }],
    ["POST", "/networks/mine/connect", { Container: "git", EndpointConfig: endpointBody("egress", subnet) }],
    [
      "POST",
      "/networks/create",
      { ...networkBody({ settings, instance, networkNumber: 2, subnet }), Internal: false },
    ],
    ["GET", "/images/other:latest/json"],
    ["GET", "/containers/mine/json", {}],
    ["GET", "/containers/mine/logs"],
    ["GET", "/containers//json"],
    ["GET", "/containers/./json"],
    ["GET", "/containers/mine%2Fjson"],
    ["GET", "http://engine/version"],
    ["GET", "/version?a=1"],
    ["GET", "/containers/json?all=1&all=1"],
    ["get", "/version"],
    ["POST", "/version"],
  ])("refuse %s %s", async (method, target, body?: unknown) => {
    expect(await decide(method, target, body)).toMatchObject({ status: "refused" });
  });

  it("say of what is not there that it is absent", async () => {
    expect(await decide("GET", "/containers/nobody/json")).toMatchObject({ status: "absent" });
    expect(await decide("DELETE", "/networks/nobody")).toMatchObject({ status: "absent" });
  });

  it("forward nothing when the engine cannot be asked", async () => {
    const failing = { ...lookups, findContainer: () => Promise.reject(new Error("no answer")) };
    const call = judge(
      { method: "DELETE", target: "/containers/mine", body: undefined },
      { settings, instance, lookups: failing },
    );
    await expect(call).rejects.toThrow("no answer");
  });
});

import { describe, expect, it } from "vitest";
import { judgeRequest } from "./judge";
import { compilePolicy } from "./policy";
import { parseRequestHead, type RequestHead } from "./request-head";
import type { Policy } from "./schema";

const sandboxId = "proj-11111111-1111-4111-8111-111111111111";
const policy: Policy = {
  version: 1,
  allow: ["registry.example", "*.registry.example"],
  hostAddresses: [],
  pinned: {},
  sources: [{ address: "10.231.0.2", sandboxId }],
};

function head(text: string): RequestHead {
  const result = parseRequestHead(Buffer.from(`${text}\r\n\r\n`, "latin1"));
  if (!result.ok) throw new Error(result.detail);
  return result.head;
}

const judge = (requestHead: RequestHead, source = "10.231.0.2") =>
  judgeRequest({ policy: compilePolicy(policy), source, head: requestHead });
const connect = (target: string) => judge(head(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}`));
const plain = (uri: string, ...lines: string[]) =>
  judge(head([`GET ${uri} HTTP/1.1`, ...lines].join("\r\n")));

/** NET-01: an address in the target never becomes a dial, whatever its notation and range. */
describe("IP addresses are refused as a class", () => {
  it.each([
    "169.254.169.254",
    "127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "8.8.8.8",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "127.0.0.1.",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::7f00:1]",
    "[fd00::1]",
    "[fe80::1%eth0]",
    "[fe80::1%25eth0]",
    "::1",
    "fe80::1%eth0",
  ])("%s", (address) => {
    expect(connect(`${address}:443`)).toMatchObject({
      verdict: "refused",
      status: 403,
      reason: "address_literal",
    });
    expect(plain(`http://${address}/`, `Host: ${address}`)).toMatchObject({
      verdict: "refused",
      status: 403,
      reason: "address_literal",
    });
  });
});

/** NET-02, PX-01: only the very name, or a name below a `*.` entry, whole labels. */
describe("names", () => {
  it.each([
    ["registry.example:443", "registry.example"],
    ["REGISTRY.EXAMPLE.:443", "registry.example"],
    ["a.b.registry.example:443", "a.b.registry.example"],
  ])("%s is allowed as %s", (target, host) => {
    expect(connect(target)).toMatchObject({ verdict: "allowed", host, port: 443, path: null, sandboxId });
  });

  it.each([
    ["registry.example.evil.test:443", "name"],
    ["evilregistry.example:443", "name"],
    ["registry-example:443", "name"],
    ["xn--rgistry-9za.example:443", "name"],
    ["registry.example..:443", "target_malformed"],
    ["[registry.example]:443", "target_malformed"],
    ["registry.example@evil.test:443", "target_malformed"],
    ["evil.test@registry.example:443", "target_malformed"],
    ["registry.example%00.evil.test:443", "target_malformed"],
    ["registry.example/:443", "target_malformed"],
    ["http://registry.example:443", "target_malformed"],
    [":443", "target_malformed"],
    ["*.registry.example:443", "target_malformed"],
  ])("%s is refused: %s", (target, reason) => {
    expect(connect(target)).toMatchObject({ verdict: "refused", status: 403, reason });
  });
});

/** NET-04: no other service of an allowed host. */
describe("ports", () => {
  it.each(["22", "25", "80", "0", "65536", "0443", "443x", "+443", ""])(
    "CONNECT to :%s is refused",
    (port) => {
      expect(connect(`registry.example:${port}`)).toMatchObject({
        verdict: "refused",
        status: 403,
        reason: "port",
      });
    },
  );

  it("CONNECT without a port, or with two, is refused", () => {
    expect(connect("registry.example")).toMatchObject({ verdict: "refused", reason: "port" });
    expect(connect("registry.example:443:80")).toMatchObject({
      verdict: "refused",
      reason: "target_malformed",
    });
    expect(connect("registry.example:80:443")).toMatchObject({
      verdict: "refused",
      reason: "target_malformed",
    });
  });

  it("plain HTTP is for port 80 only", () => {
    const host = "Host: registry.example";
    expect(plain("http://registry.example/a?b", host)).toMatchObject({
      verdict: "allowed",
      port: 80,
      path: "/a?b",
    });
    expect(plain("http://registry.example:80?b", host)).toMatchObject({ verdict: "allowed", path: "/?b" });
    expect(plain("http://registry.example:443/", `${host}:443`)).toMatchObject({ reason: "port" });
    expect(plain("http://registry.example:8080/", `${host}:8080`)).toMatchObject({ reason: "port" });
  });
});

describe("plain requests", () => {
  it.each([
    ["another Host", "http://registry.example/", ["Host: evil.test"]],
    ["two Hosts", "http://registry.example/", ["Host: registry.example", "Host: registry.example"]],
    ["no Host", "http://registry.example/", []],
    ["another port in Host", "http://registry.example/", ["Host: registry.example:8080"]],
    ["the origin form", "/index.html", ["Host: registry.example"]],
    ["the asterisk form", "*", ["Host: registry.example"]],
  ])("%s is no clean proxy request: 400", (_what, uri, lines) => {
    expect(plain(uri, ...lines)).toMatchObject({
      verdict: "refused",
      status: 400,
      reason: "request_malformed",
    });
  });

  it.each([
    "https://registry.example/",
    "ftp://registry.example/",
    "http:/registry.example/",
    "http:registry.example/",
    "http://registry.example\\@evil.test/",
    "http://registry.example#@evil.test/",
    "http://a:b@registry.example/",
    "http:///",
  ])("%s is refused", (uri) => {
    expect(plain(uri, "Host: registry.example")).toMatchObject({ verdict: "refused", status: 403 });
  });

  it("cannot become another protocol", () => {
    const upgrade = ["Host: registry.example", "Connection: Upgrade", "Upgrade: websocket"];
    expect(plain("http://registry.example/", ...upgrade)).toMatchObject({
      verdict: "refused",
      reason: "upgrade",
    });
  });

  it("name the host in either spelling", () => {
    expect(plain("http://Registry.Example./", "Host: registry.example:80")).toMatchObject({
      verdict: "allowed",
    });
  });
});

describe("what cannot be decided is refused", () => {
  it("without a policy", () => {
    const requestHead = head("CONNECT registry.example:443 HTTP/1.1");
    expect(judgeRequest({ policy: null, source: "10.231.0.2", head: requestHead })).toMatchObject({
      reason: "no_policy",
    });
  });

  it("from a source that is nobody's", () => {
    const requestHead = head("CONNECT registry.example:443 HTTP/1.1");
    expect(judge(requestHead, "10.231.0.3")).toMatchObject({ reason: "source_unknown", sandboxId: null });
    expect(judge(requestHead, "unknown")).toMatchObject({ reason: "source_unknown" });
  });

  it("CONNECT with a body or with several Hosts", () => {
    const start = "CONNECT registry.example:443 HTTP/1.1\r\n";
    expect(judge(head(`${start}Content-Length: 1`))).toMatchObject({
      status: 400,
      reason: "request_malformed",
    });
    expect(judge(head(`${start}Transfer-Encoding: chunked`))).toMatchObject({ status: 400 });
    expect(judge(head(`${start}Host: a\r\nHost: b`))).toMatchObject({ status: 400 });
  });
});

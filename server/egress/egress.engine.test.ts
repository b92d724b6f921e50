import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { addressesOf, createEgressStack, type EgressStack, type TestSandbox } from "../testing/egress-stack";
import { testRuntimes } from "../testing/int-environment";
import type { Policy } from "./schema";

const sandboxIds = {
  runc: "proj-11111111-1111-4111-8111-111111111111",
  runsc: "proj-22222222-2222-4222-8222-222222222222",
};
const runId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const registry = new URL(execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim());
const decisionsAnswer = z.object({
  lastSeq: z.number(),
  decisions: z.array(z.looseObject({ host: z.string().nullable(), verdict: z.string() })),
});

let stack: EgressStack;
let policy: Policy;
const sandboxes = new Map<"runc" | "runsc", TestSandbox>();

const sandboxOf = (runtime: "runc" | "runsc"): TestSandbox => {
  const sandbox = sandboxes.get(runtime);
  if (sandbox === undefined) throw new Error(`not run: no sandbox on ${runtime}`);
  return sandbox;
};

const health = async (url: string): Promise<unknown> => (await fetch(`${url}/health`)).json();

const decisionsAfter = async (after: number): Promise<z.output<typeof decisionsAnswer>> => {
  const token = await stack.signer.sign("rhumbatron:egress", {}, 60);
  const url = `${await stack.egressControlUrl()}/decisions?after=${after}&limit=1000`;
  return decisionsAnswer.parse(
    await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json(),
  );
};

beforeAll(async () => {
  stack = await createEgressStack();
  for (const runtime of testRuntimes) sandboxes.set(runtime, await stack.startSandbox(runtime));
  policy = {
    version: 1,
    allow: [registry.hostname, "up.test", "other.test"],
    hostAddresses: [],
    pinned: { "up.test": stack.upstreamAddress },
    sources: testRuntimes.map((runtime) => ({
      address: sandboxOf(runtime).address,
      sandboxId: sandboxIds[runtime],
    })),
  };
  const url = await stack.egressControlUrl();
  await vi.waitFor(() => health(url), { timeout: 20_000, interval: 100 });
});
afterAll(() => stack.close());

it("without a policy nothing gets out, and health says why", async () => {
  expect(await health(await stack.egressControlUrl())).toMatchObject({
    status: "degraded",
    detail: expect.stringContaining("No allowlist has arrived yet") as unknown,
  });
  const [runtime] = testRuntimes;
  if (runtime === undefined) throw new Error("not run: no runtime");
  const { stdout } = await sandboxOf(runtime).run("curl -s -m 5 -x http://egress:3128 http://up.test/");
  expect(stdout).toContain("egress.denied: up.test:80: no allowlist has arrived yet");
});

it("only a signed policy for egress, with a version that grows, is taken", async () => {
  const url = `${await stack.egressControlUrl()}/policy`;
  const put = async (body: string): Promise<number> => (await fetch(url, { method: "PUT", body })).status;
  expect(await put(JSON.stringify({ policy }))).toBe(401);
  expect(await put(await stack.signer.sign("rhumbatron:git", { policy }, 60))).toBe(401);
  expect(await put(await stack.signer.sign("rhumbatron:egress", { policy }, -60))).toBe(401);
  expect(
    await put(await stack.signer.sign("rhumbatron:egress", { policy: { ...policy, allow: ["*"] } }, 60)),
  ).toBe(400);
  expect((await stack.pushPolicy({ ...policy, version: 2 })).status).toBe(200);
  expect((await stack.pushPolicy({ ...policy, version: 2 })).status).toBe(200);
  const stale = await stack.pushPolicy(policy);
  expect(stale.status).toBe(409);
  expect(await stale.json()).toMatchObject({ version: 2 });
  expect((await fetch(`${await stack.egressControlUrl()}/decisions`)).status).toBe(401);
});

it("a restart, with sandbox networks attached, keeps the policy and the control address", async () => {
  await stack.egress.restart({ t: 5 });
  await vi.waitFor(
    async () =>
      expect(await health(await stack.egressControlUrl())).toMatchObject({
        status: "ok",
        detail: expect.stringContaining("Version 2 of the allowlist is in force") as unknown,
      }),
    { timeout: 20_000, interval: 100 },
  );
});

it("git says that it can keep repositories", async () => {
  expect(await health(await stack.gitControlUrl())).toMatchObject({
    status: "ok",
    detail: expect.stringMatching(/^git version 2\.\d+.* GiB free/) as unknown,
  });
});

describe.each(testRuntimes)("from a Sandbox on %s", (runtime) => {
  it("a package is installed through the proxy, under the Sandbox's and the Run's name", async () => {
    const sandbox = sandboxOf(runtime);
    const { lastSeq } = await decisionsAfter(0);
    const caPath = process.env["NODE_EXTRA_CA_CERTS"];
    if (caPath !== undefined) await sandbox.run("cat > /tmp/ca.pem", readFileSync(caPath, "utf8"));
    const { exitCode, stderr } = await sandbox.run(`
      mkdir -p /tmp/install && cd /tmp/install && echo '{"dependencies":{"is-number":"7.0.0"}}' > package.json
      export HTTPS_PROXY=http://${runId}:s3cret-word@egress:3128 HTTP_PROXY=http://${runId}:s3cret-word@egress:3128
      export BUN_CONFIG_REGISTRY=${registry.href} ${caPath === undefined ? "" : "NODE_EXTRA_CA_CERTS=/tmp/ca.pem"}
      timeout 60 bun install --no-cache && bun -e 'if (!require("is-number")(5)) process.exit(9)'`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const { decisions } = await decisionsAfter(lastSeq);
    expect(decisions).toContainEqual(
      expect.objectContaining({
        host: registry.hostname,
        verdict: "allowed",
        sandboxId: sandboxIds[runtime],
        proxyUser: runId,
      }),
    );
    expect(JSON.stringify(decisions)).not.toContain("s3cret-word");
  });

  it("a host that is not on the list is refused with a text that says what to do", async () => {
    const sandbox = sandboxOf(runtime);
    const plain = await sandbox.run("curl -s -m 5 -x http://egress:3128 http://denied.test/");
    expect(plain.stdout).toBe(
      "egress.denied: denied.test:80: the host is not on the allowlist.\n" +
        "An admin can add denied.test to the allowlist. Until then, do without it.\n",
    );
    const tunnel = await sandbox.run("curl -sv -m 5 -x http://egress:3128 https://denied.test/");
    expect(tunnel.stderr).toContain(
      "HTTP/1.1 403 egress.denied: denied.test:443: the host is not on the allowlist",
    );
    const literal = await sandbox.run(
      "curl -s -m 5 -x http://egress:3128 http://169.254.169.254/latest/meta-data",
    );
    expect(literal.stdout).toContain("IP addresses are refused in every notation");
  });

  it("a private address is reached under the name that it is pinned for, and under no other", async () => {
    const sandbox = sandboxOf(runtime);
    expect((await sandbox.run("curl -s -m 5 -x http://egress:3128 http://up.test/")).stdout).toBe("xx");
    expect((await sandbox.run("curl -s -m 5 -x http://egress:3128 http://other.test/")).stdout).toContain(
      "the name resolves to an address that is refused (private)",
    );
    const away = await sandbox.run("curl -sL -m 5 -x http://egress:3128 http://up.test/away");
    expect(away.stdout).toContain("egress.denied: denied.test:80");
  });

  it("bulk goes both ways whole, and a client that is killed leaves nothing behind", async () => {
    const sandbox = sandboxOf(runtime);
    const bytes = 48 * 1024 * 1024;
    const down =
      await sandbox.run(`curl -s -m 60 -x http://egress:3128 'http://up.test/?bytes=${bytes}' | tr -d x | wc -c
      curl -s -m 60 -x http://egress:3128 'http://up.test/?bytes=${bytes}' | wc -c`);
    expect(down.stdout.trim().split(/\s+/)).toEqual(["0", String(bytes)]);
    const up = await sandbox.run(
      "head -c 8388608 /dev/zero | curl -s -m 60 -x http://egress:3128 -T - http://up.test/; echo; printf hello | timeout 5 nc -w 1 -X connect -x egress:3128 up.test 443",
    );
    expect(up.stdout).toBe("8388608\nhello");
    await sandbox.run(
      `timeout -s KILL 1 curl -s --limit-rate 100k -x http://egress:3128 'http://up.test/?bytes=${bytes}' > /dev/null; true`,
    );
    await vi.waitFor(
      async () =>
        expect(await health(await stack.egressControlUrl())).toMatchObject({
          detail: expect.stringContaining("Open connections: 0.") as unknown,
        }),
      { timeout: 10_000, interval: 200 },
    );
  });

  /** If this failed, an agent could read what others reached, and replay a policy that it got hold of. */
  it("the control ports answer on no address of the services", async () => {
    const targets = [
      ...[...(await addressesOf(stack.egress)), "egress"].map((address) => `${address}:3129`),
      ...[...(await addressesOf(stack.git)), "git"].map((address) => `${address}:8081`),
    ];
    const { stdout } = await sandboxOf(runtime).run(
      `for target in ${targets.join(" ")}; do
        (curl -s -m 3 -o /dev/null http://$target/health && echo "$target answers" || echo "$target silent") & done; wait`,
    );
    expect(stdout.trim().split("\n").sort()).toEqual(targets.map((target) => `${target} silent`).sort());
  });

  it("git answers every path alike without a Run token", async () => {
    const paths = ["/", "/a.git/info/refs?service=git-upload-pack", "/../../etc/passwd"];
    const answers = await Promise.all(
      paths.map((path) =>
        sandboxOf(runtime).run(`curl -s -m 5 --path-as-is -w '|%{http_code}' 'http://git:8080${path}'`),
      ),
    );
    expect(answers[0]?.stdout).toMatch(/\|401$/);
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1);
  });
});

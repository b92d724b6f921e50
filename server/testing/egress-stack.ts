import Docker from "dockerode";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import type { Policy } from "../egress/schema";
import { createSystemClock } from "../platform/clock";
import { createServiceTokenSigner, type ServiceTokenSigner } from "../platform/service-token";
import { testEngineSocket, testSandboxImage, testServiceImage } from "./int-environment";

/** The part of dockerode's untyped connection that tells the two output streams of an exec apart. */
interface Demuxer {
  demuxStream(stream: NodeJS.ReadableStream, stdout: PassThrough, stderr: PassThrough): void;
}

export interface ExecResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A Sandbox-like container that reaches nothing but its internal network. */
export interface TestSandbox {
  address: string;
  run(command: string, stdin?: string): Promise<ExecResult>;
}

/** egress and git in the real image, on an ordinary network and an internal one, with one upstream on the ordinary one. */
export interface EgressStack {
  egress: Docker.Container;
  git: Docker.Container;
  signer: ServiceTokenSigner;
  /** Address of the upstream, whose names on the ordinary network are `up.test` and `other.test`. */
  upstreamAddress: string;
  egressControlUrl(): Promise<string>;
  gitControlUrl(): Promise<string>;
  gitUrl(): Promise<string>;
  pushPolicy(policy: Policy): Promise<Response>;
  startSandbox(runtime: "runc" | "runsc"): Promise<TestSandbox>;
  /** Removes everything that was made, also after a failure. */
  close(): Promise<void>;
}

const label = "rhumbatron.egress-test";

/** Port 80 answers `?bytes=` with so many, 443 sends what it gets back: enough to see a tunnel and a plain request. */
const upstreamScript = `
Bun.serve({ port: 80, fetch: async (request) => {
  const url = new URL(request.url);
  if (url.pathname === "/away") return Response.redirect("http://denied.test/");
  if (request.method === "PUT") return new Response(String((await request.arrayBuffer()).byteLength));
  const bytes = Number(url.searchParams.get("bytes") ?? 2);
  return new Response(new Uint8Array(bytes).fill(120));
} });
Bun.listen({ hostname: "0.0.0.0", port: 443, socket: { data: (socket, data) => { socket.write(data); } } });
`;

export async function createEgressStack(): Promise<EgressStack> {
  const engine = new Docker({ socketPath: testEngineSocket });
  const id = randomUUID();
  const labels = { [label]: id };
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const signer = await createServiceTokenSigner(privateKey.export({ format: "jwk" }), createSystemClock());
  const cleanUps: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp().catch(() => {});
  };

  const createNetwork = async (purpose: string, isInternal: boolean): Promise<Docker.Network> => {
    const network = await engine.createNetwork({
      Name: `egress_test_${purpose}_${id.slice(0, 8)}`,
      Internal: isInternal,
      Labels: labels,
      Options: isInternal ? { "com.docker.network.bridge.inhibit_ipv4": "true" } : {},
    });
    cleanUps.push(() => network.remove());
    return network;
  };
  const start = async (spec: Docker.ContainerCreateOptions): Promise<Docker.Container> => {
    const container = await engine.createContainer({ ...spec, Labels: labels });
    cleanUps.push(() => container.remove({ force: true, v: true }));
    await container.start();
    return container;
  };

  try {
    const ordinary = await createNetwork("ordinary", false);
    const internal = await createNetwork("sandbox", true);
    const startService = async (service: "egress" | "git", ports: string[]): Promise<Docker.Container> => {
      const container = await start({
        Image: testServiceImage,
        Cmd: [`/app/${service}.js`],
        Env: [`SERVICE_PUBLIC_KEY=${JSON.stringify(publicKey.export({ format: "jwk" }))}`],
        Volumes: { [`/var/lib/rhumbatron/${service}`]: {} },
        ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
        HostConfig: {
          NetworkMode: ordinary.id,
          Init: true,
          ReadonlyRootfs: true,
          Tmpfs: { "/tmp": "size=16m" },
          CapDrop: ["ALL"],
          SecurityOpt: ["no-new-privileges"],
          Sysctls: { "net.ipv4.ip_forward": "0" },
          Memory: 512 * 1024 * 1024,
          MemorySwap: 512 * 1024 * 1024,
          PidsLimit: 256,
          PortBindings: Object.fromEntries(
            ports.map((port) => [`${port}/tcp`, [{ HostIp: "127.0.0.1", HostPort: "" }]]),
          ),
        },
      });
      await internal.connect({ Container: container.id, EndpointConfig: { Aliases: [service] } });
      return container;
    };
    const egress = await startService("egress", ["3129"]);
    const git = await startService("git", ["8080", "8081"]);
    const upstream = await start({
      Image: testSandboxImage,
      Entrypoint: ["bun", "-e", upstreamScript],
      Cmd: [],
      User: "0",
      HostConfig: { NetworkMode: ordinary.id, Init: true },
      NetworkingConfig: { EndpointsConfig: { [ordinary.id]: { Aliases: ["up.test", "other.test"] } } },
    });
    const egressControlUrl = (): Promise<string> => publishedUrl(egress, "3129");

    return {
      egress,
      git,
      signer,
      upstreamAddress: await addressOf(upstream),
      egressControlUrl,
      gitControlUrl: () => publishedUrl(git, "8081"),
      gitUrl: () => publishedUrl(git, "8080"),
      pushPolicy: async (policy) =>
        fetch(`${await egressControlUrl()}/policy`, {
          method: "PUT",
          body: await signer.sign("rhumbatron:egress", { policy }, 60),
        }),
      startSandbox: async (runtime) => {
        const container = await start({
          Image: testSandboxImage,
          Entrypoint: ["sleep", "3600"],
          Cmd: [],
          HostConfig: {
            NetworkMode: internal.id,
            Dns: ["127.0.0.1"],
            Runtime: runtime,
            Init: true,
            CapDrop: ["ALL"],
            SecurityOpt: ["no-new-privileges"],
          },
        });
        return {
          address: await addressOf(container),
          run: (command, stdin) => execIn(container, command, stdin),
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Every address that a container has, on any network. */
export async function addressesOf(container: Docker.Container): Promise<string[]> {
  const { NetworkSettings } = await container.inspect();
  return Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
}

async function addressOf(container: Docker.Container): Promise<string> {
  const [address] = await addressesOf(container);
  if (address === undefined || address === "") throw new Error("The container has no address.");
  return address;
}

/** A restart gives another port, so it is asked for each time. */
async function publishedUrl(container: Docker.Container, port: string): Promise<string> {
  const { NetworkSettings } = await container.inspect();
  const hostPort = NetworkSettings.Ports[`${port}/tcp`]?.[0]?.HostPort;
  if (hostPort === undefined) throw new Error(`Port ${port} is not published.`);
  return `http://127.0.0.1:${hostPort}`;
}

async function execIn(container: Docker.Container, command: string, stdin?: string): Promise<ExecResult> {
  const exec = await container.exec({
    Cmd: ["sh", "-c", command],
    AttachStdout: true,
    AttachStderr: true,
    AttachStdin: stdin !== undefined,
  });
  const stream = await exec.start({ hijack: true, stdin: stdin !== undefined });
  const outputs = [new PassThrough(), new PassThrough()] as const;
  (container.modem as Demuxer).demuxStream(stream, outputs[0], outputs[1]);
  const texts = outputs.map((output) => output.setEncoding("utf8").toArray() as Promise<string[]>);
  if (stdin !== undefined) stream.end(stdin);
  await new Promise<void>((resolve, reject) => {
    stream.on("end", resolve);
    stream.on("close", resolve);
    stream.on("error", reject);
  });
  outputs.forEach((output) => output.end());
  const [stdout = [], stderr = []] = await Promise.all(texts);
  const { ExitCode } = await exec.inspect();
  return { exitCode: ExitCode ?? -1, stdout: stdout.join(""), stderr: stderr.join("") };
}

import Docker from "dockerode";
import { createEgressControl } from "../egress/control-http";
import type { EgressControl } from "../egress/control";
import { createSystemClock } from "../platform/clock";
import { createServiceTokenSigner } from "../platform/service-token";
import type { GitContainerPlace } from "./git-container";
import { createServiceKeys } from "./git-world";
import { testEngineSocket, testServiceImage } from "./int-environment";

/** Starts egress as it is shipped where sandboxd finds it; gives the port to its control side. It knows no policy yet. */
export async function startEgressContainer(place: GitContainerPlace): Promise<EgressControl> {
  const engine = new Docker({ socketPath: testEngineSocket });
  const clock = createSystemClock();
  const { privateJwk, publicJwk } = createServiceKeys();
  const container = await engine.createContainer({
    name: place.name,
    Labels: place.labels,
    Image: testServiceImage,
    Cmd: ["/app/egress.js"],
    Env: [`SERVICE_PUBLIC_KEY=${JSON.stringify(publicJwk)}`],
    Volumes: { "/var/lib/rhumbatron/egress": {} },
    ExposedPorts: { "3129/tcp": {} },
    HostConfig: {
      NetworkMode: place.network,
      Init: true,
      ReadonlyRootfs: true,
      Tmpfs: { "/tmp": "size=16m" },
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      PortBindings: { "3129/tcp": [{ HostIp: "127.0.0.1", HostPort: "" }] },
    },
  });
  await container.start();
  const { NetworkSettings } = await container.inspect();
  const baseUrl = `http://127.0.0.1:${NetworkSettings.Ports["3129/tcp"]?.[0]?.HostPort ?? ""}`;
  while (!(await isHealthy(baseUrl))) {
    if (!(await container.inspect()).State.Running) throw new Error("egress ended at once");
    await clock.sleep(50);
  }
  return createEgressControl({ baseUrl, signer: await createServiceTokenSigner(privateJwk, clock) });
}

async function isHealthy(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/health`)).ok;
  } catch {
    return false;
  }
}

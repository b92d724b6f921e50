import Docker from "dockerode";
import { testEngineSocket, testRuntimes, testSandboxImage, testServiceImage } from "./int-environment";

/** Says at once, and in one sentence each, what a test on a real engine would otherwise fail on one by one. */
export async function setup(): Promise<void> {
  const engine = new Docker({ socketPath: testEngineSocket });
  const info = (await engine.info()) as { Runtimes: Record<string, unknown> };
  for (const runtime of testRuntimes) {
    if (!(runtime in info.Runtimes)) throw new Error(`not run: the engine has no runtime ${runtime}`);
  }
  for (const image of [testSandboxImage, testServiceImage]) {
    await engine
      .getImage(image)
      .inspect()
      .catch((cause: unknown) => {
        throw new Error(`not run: the engine has no image ${image}`, { cause });
      });
  }
}

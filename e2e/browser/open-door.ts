import { rmSync } from "node:fs";
import type { FullConfig } from "@playwright/test";
import { createForwarder } from "./forward.mjs";

/** Opens the one way out of the browser's network: a socket that leads to the stack under test. */
export default async function openDoor(config: FullConfig): Promise<() => Promise<void>> {
  const socketPath = process.env["E2E_DOOR"];
  const baseUrl = config.projects[0]?.use.baseURL;
  if (socketPath === undefined || baseUrl === undefined) return () => Promise.resolve();
  rmSync(socketPath, { force: true });
  const door = createForwarder(Number(new URL(baseUrl).port));
  await new Promise<void>((resolve, reject) => {
    door.once("error", reject).listen(socketPath, resolve);
  });
  return () =>
    new Promise((resolve) => {
      door.close(() => {
        resolve();
      });
    });
}

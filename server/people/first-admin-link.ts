import { rename, rm, writeFile } from "node:fs/promises";
import type { People } from "./deps";

/**
 * Leaves a link that makes the first admin at `path`, readable by its owner only, while there is nobody; takes the file
 * away once there is somebody. Each call makes a new link and ends the one before. Shape: the address and a line feed.
 */
export async function leaveFirstAdminLink(input: {
  people: Pick<People, "makeFirstAdminLink">;
  publicUrl: string;
  path: string;
}): Promise<void> {
  const { people, publicUrl, path } = input;
  const secret = await people.makeFirstAdminLink();
  if (secret === null) {
    await dropFirstAdminLink(path);
    return;
  }
  await writeFile(`${path}.new`, `${publicUrl}/first-admin?token=${secret}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Takes the file away, if it is there. */
export async function dropFirstAdminLink(path: string): Promise<void> {
  await rm(path, { force: true });
}

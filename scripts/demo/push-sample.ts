import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pushFolder } from "./push-folder";

const sampleFolder = join(import.meta.dirname, "sample");

/** Makes a repository of the sample and pushes it to a Project. */
export async function pushSample(cloneUrl: string, branch: string, token: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "rhumbatron-demo-"));
  try {
    await cp(sampleFolder, folder, { recursive: true, filter: isOfSample });
    await pushFolder({ folder, message: "Totals of invoices", cloneUrl, branch, token });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What somebody who tried the sample by hand left in it stays where it is. */
function isOfSample(path: string): boolean {
  return !/[/\\](node_modules|bun\.lock)$/.test(path);
}

import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";

/** A file of a tree: where it is, and what git keeps there. */
export interface TreeLeaf {
  path: Buffer;
  mode: string;
  objectId: string;
}

const directoryMode = "40000";

/**
 * Writes a tree that holds these files and no other into an object directory, and gives its id. Two such trees let git compare
 * files under their real names, whatever bytes those have: no name is ever handed over as an argument, where it could be taken
 * for a pattern or an option, or could not be written at all.
 */
export async function writePathTree(objectDirectory: string, leaves: readonly TreeLeaf[]): Promise<string> {
  const entries: TreeEntry[] = [];
  const folders = new Map<string, { name: Buffer; leaves: TreeLeaf[] }>();
  for (const leaf of leaves) {
    const slash = leaf.path.indexOf(0x2f);
    if (slash < 0) {
      entries.push({ name: leaf.path, mode: leaf.mode, objectId: leaf.objectId });
      continue;
    }
    const name = leaf.path.subarray(0, slash);
    const folder = folders.get(name.toString("latin1")) ?? { name, leaves: [] };
    folder.leaves.push({ ...leaf, path: leaf.path.subarray(slash + 1) });
    folders.set(name.toString("latin1"), folder);
  }
  for (const folder of folders.values()) {
    const objectId = await writePathTree(objectDirectory, folder.leaves);
    entries.push({ name: folder.name, mode: directoryMode, objectId });
  }
  return writeTree(objectDirectory, entries);
}

interface TreeEntry {
  name: Buffer;
  mode: string;
  objectId: string;
}

/** Source: git's object format, a loose object; a folder is sorted as if its name ended in a slash. */
async function writeTree(objectDirectory: string, entries: readonly TreeEntry[]): Promise<string> {
  const sortKey = ({ name, mode }: TreeEntry): Buffer =>
    mode === directoryMode ? Buffer.concat([name, Buffer.from("/")]) : name;
  const content = Buffer.concat(
    [...entries]
      .sort((left, right) => Buffer.compare(sortKey(left), sortKey(right)))
      .map(({ name, mode, objectId }) =>
        Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(objectId, "hex")]),
      ),
  );
  const object = Buffer.concat([Buffer.from(`tree ${content.length}\0`), content]);
  const id = createHash("sha1").update(object).digest("hex");
  const path = join(objectDirectory, id.slice(0, 2), id.slice(2));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, deflateSync(object));
  return id;
}

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

/**
 * Writes a tree that holds one file, or none, into an object directory, and gives its id. Two such trees let git compare one
 * file under its real name, whatever bytes it has: no name is ever handed over as an argument, where it could be taken for a
 * pattern or an option, or could not be written at all.
 */
export async function writeOnePathTree(objectDirectory: string, leaf: TreeLeaf | null): Promise<string> {
  if (leaf === null) return writeTree(objectDirectory, Buffer.alloc(0));
  const names = splitPath(leaf.path);
  let mode = leaf.mode;
  let id = leaf.objectId;
  for (const name of names.reverse()) {
    const entry = Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(id, "hex")]);
    id = await writeTree(objectDirectory, entry);
    mode = "40000";
  }
  return id;
}

/** Source: git's object format, a loose object. */
async function writeTree(objectDirectory: string, content: Buffer): Promise<string> {
  const object = Buffer.concat([Buffer.from(`tree ${content.length}\0`), content]);
  const id = createHash("sha1").update(object).digest("hex");
  const path = join(objectDirectory, id.slice(0, 2), id.slice(2));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, deflateSync(object));
  return id;
}

function splitPath(path: Buffer): Buffer[] {
  const names: Buffer[] = [];
  let start = 0;
  for (let end = path.indexOf(0x2f); end >= 0; end = path.indexOf(0x2f, start)) {
    names.push(path.subarray(start, end));
    start = end + 1;
  }
  return [...names, path.subarray(start)];
}

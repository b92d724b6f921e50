import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseBearer } from "./rules";
import type { Access } from "./service";

/**
 * Leaves a working admin token at `path`, readable by its owner only. A token there that still works is kept;
 * otherwise a new one is made and the file replaced in one step. Shape: the token and a line feed.
 */
export async function ensureAdminToken(access: Access, path: string): Promise<void> {
  const current = await readTokenFile(path);
  if (current !== null && (await access.findCaller(current))?.role === "admin") {
    await chmod(path, 0o600);
    return;
  }
  const { token } = await access.createToken(
    {
      role: "admin",
      label: "admin token of this installation",
      projectId: null,
      changeId: null,
      expiresAt: null,
    },
    null,
  );
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${token}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function readTokenFile(path: string): Promise<string | null> {
  try {
    return parseBearer(`Bearer ${(await readFile(path, "utf8")).trim()}`);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

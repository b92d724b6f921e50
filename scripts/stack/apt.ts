import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command";
import { explainDiskFault, OperatorError, systemErrorCode } from "./operator-error";
import type { Step } from "./progress";

/** What /etc/os-release says of this machine, as far as it matters here. */
export interface LinuxRelease {
  id: string;
  /** `bookworm`, `noble`; empty where a release has none. */
  codename: string;
  /** Debian, Ubuntu or one of their children, with apt. */
  isDebianLike: boolean;
}

/** A place that apt gets packages from. */
export interface AptSource {
  uri: string;
  suites: string[];
  components: string[];
  /** The file of keys that signs it, when its line names one. */
  signedBy: string | null;
}

/** Parses /etc/os-release: `NAME=value` lines with optional quotes. */
export function parseLinuxRelease(text: string): LinuxRelease {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const match = /^([A-Z_]+)=["']?(.*?)["']?\s*$/.exec(line);
    if (match?.[1] !== undefined) values.set(match[1], match[2] ?? "");
  }
  const id = values.get("ID") ?? "";
  const family = [id, ...(values.get("ID_LIKE") ?? "").split(" ")];
  return {
    id,
    codename: values.get("VERSION_CODENAME") ?? "",
    isDebianLike: family.includes("debian") || family.includes("ubuntu"),
  };
}

export function readLinuxRelease(): LinuxRelease | null {
  try {
    return parseLinuxRelease(readFileSync("/etc/os-release", "utf8"));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Parses the one-line form: `deb [options] uri suite component…`. Disabled and source lines are left out. */
export function parseOneLineSources(text: string): AptSource[] {
  return text.split("\n").flatMap((line) => {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    if (match?.[2] === undefined || match[3] === undefined) return [];
    const signedBy = /signed-by=(\S+)/.exec(match[1] ?? "")?.[1] ?? null;
    return [{ uri: match[2], suites: [match[3]], components: splitWords(match[4] ?? ""), signedBy }];
  });
}

/** Parses the deb822 form: paragraphs of `Field: value`, a line that starts with a space goes on, `#` lines do not count. */
export function parseDeb822Sources(text: string): AptSource[] {
  const paragraphs = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .split(/\n\s*\n/);
  return paragraphs.flatMap((paragraph) => {
    const fields = new Map<string, string>();
    for (const [, name, value] of paragraph.matchAll(/^([A-Za-z-]+):((?:.*)(?:\n[ \t].*)*)/gm)) {
      if (name !== undefined) fields.set(name.toLowerCase(), value ?? "");
    }
    if (!splitWords(fields.get("types") ?? "").includes("deb")) return [];
    if (/^\s*(no|false|0)\s*$/i.test(fields.get("enabled") ?? "yes")) return [];
    const signedBy = (fields.get("signed-by") ?? "").trim();
    return splitWords(fields.get("uris") ?? "").map((uri) => ({
      uri,
      suites: splitWords(fields.get("suites") ?? ""),
      components: splitWords(fields.get("components") ?? ""),
      signedBy: signedBy.startsWith("/") ? signedBy : null,
    }));
  });
}

/** Every place that this machine's apt gets packages from. */
export function readAptSources(etc = "/etc/apt"): AptSource[] {
  const folder = join(etc, "sources.list.d");
  const files = [join(etc, "sources.list"), ...listFolder(folder).map((name) => join(folder, name))];
  return files.flatMap((file) => {
    if (file.endsWith(".sources")) return parseDeb822Sources(readFileSync(file, "utf8"));
    return file.endsWith(".list") ? parseOneLineSources(readIfThere(file)) : [];
  });
}

/**
 * The mirror of Debian's main archive that this machine uses; Debian's own where it has none, as on Ubuntu. A mirror
 * is told by a suite of a plain release name with the component `main`.
 */
export function debianMirrorOf(sources: readonly AptSource[]): string {
  const found = sources.find(
    ({ uri, suites, components }) =>
      /^https?:/.test(uri) &&
      /\/debian\/?$/.test(new URL(uri).pathname) &&
      components.includes("main") &&
      suites.some((suite) => /^[a-z]+$/.test(suite)),
  );
  return found === undefined ? "http://deb.debian.org/debian" : found.uri.replace(/\/$/, "");
}

/** Installs packages with apt, quietly and without a question. Needs root. */
export async function installPackages(packages: readonly string[], step: Step): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", NEEDRESTART_SUSPEND: "1" };
  const onLine = (line: string): void => step.update(line);
  const options = ["-o", "DPkg::Lock::Timeout=300"];
  const update = await runCommand("apt-get", [...options, "update", "-q"], { env, onLine });
  const install = await runCommand(
    "apt-get",
    [...options, "install", "-y", "-q", "--no-install-recommends", ...packages],
    { env, onLine },
  );
  if (install.exitCode === 0) return;
  const said = [update, install].map(({ lastLines }) => lastLines).join(" | ");
  throw explainDiskFault(
    new OperatorError(`apt-get could not install ${packages.join(" and ")}: ${said}.`),
    "this system",
  );
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  }
}

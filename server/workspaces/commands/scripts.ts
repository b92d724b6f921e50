import type { ScriptsReading } from "./types";
import { isTypable } from "./words";

/** A package.json beyond this is not read: `too_large`. */
export const packageJsonBytesMax = 1024 * 1024;

/**
 * Reads which scripts a package.json has: own keys of its `scripts` alone, so that `toString` is none and `__proto__` is
 * one where it is written. Listed are those that `bun run` takes for a script for certain. Never throws.
 */
export function readScripts(bytes: Uint8Array): ScriptsReading {
  if (bytes.length > packageJsonBytesMax) return { status: "too_large" };
  const manifest = parseObject(bytes);
  if (manifest === null) return { status: "not_json" };
  const scripts = Object.hasOwn(manifest, "scripts") ? manifest["scripts"] : {};
  if (!isRecord(scripts)) return { status: "read", names: [] };
  const names = Object.entries(scripts)
    .filter(([name, line]) => isScriptName(name) && typeof line === "string" && line.trim() !== "")
    .map(([name]) => name);
  return { status: "read", names };
}

/**
 * Whether bun takes the word for a script's name. What begins with `.` or `/` it takes for a file, with `-` for a flag,
 * even when a script is called so; and a script without a line makes it look for a file of that name. Seen with bun 1.3.14.
 */
export function isScriptName(name: string): boolean {
  return isTypable(name) && !/^[-./]/.test(name);
}

function parseObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

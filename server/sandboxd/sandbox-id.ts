import type { SandboxId } from "./types";

const pattern = /^proj-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads a sandbox ID, `proj-<lower-case uuid>`; null for anything else. The only maker of a `SandboxId`. */
export function parseSandboxId(text: string): SandboxId | null {
  return pattern.test(text) ? (text as SandboxId) : null;
}

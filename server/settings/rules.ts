import type { Settings } from "../platform/config";
import type { SettingView } from "./types";

/** What an admin may see. A setting that could hold a secret, as a database's address with its password, is not here. */
const shownNames = [
  "SANDBOX_MONTHLY_SECONDS",
  "SANDBOX_IMAGE",
  "SANDBOX_CPUS",
  "SANDBOX_MEMORY_MB",
  "SANDBOX_PIDS",
  "SANDBOX_DISK_MB",
  "SANDBOX_RUNTIME",
  "SANDBOX_MAX",
  "SANDBOX_IDLE_MS",
  "SANDBOX_NETWORK",
  "SANDBOX_WARM",
  "MAX_ACTIVE_SANDBOXES_PER_CHANGE",
  "WORKSPACE_RESERVE_SECONDS",
  "WORKSPACE_IDLE_TAIL_SECONDS",
  "WORKSPACE_SLEEP_AFTER_SECONDS",
  "RUN_EXPIRE_SECONDS",
  "RUN_MAX_SECONDS",
  "EGRESS_ALLOWLIST",
  "IMPORT_ALLOWED_HOSTS",
  "HOST_ADDRESSES",
  "DATA_DIR",
  "PORT",
  "PUBLIC_URL",
] as const satisfies (keyof Settings)[];

/**
 * What the environment says of each setting, or its default where the environment says nothing. `unset` names what holds
 * for a setting that has no value of its own then.
 */
export function settingsOfEnvironment(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  unset: Readonly<Partial<Record<keyof Settings, string>>>,
): SettingView[] {
  return shownNames.map((name) => {
    const text = env[name] ?? "";
    if (text !== "") return { name, value: text, source: "environment" };
    return { name, value: unset[name] ?? textOf(settings[name]), source: "default" };
  });
}

/** The name under which an admin's value of a setting is stored. */
export function storedNameOf(name: string): string {
  return name.toLowerCase();
}

function textOf(value: Settings[(typeof shownNames)[number]]): string {
  if (value === undefined) return "";
  return Array.isArray(value)
    ? value.map((item) => (typeof item === "string" ? item : item.host)).join(" ")
    : String(value);
}

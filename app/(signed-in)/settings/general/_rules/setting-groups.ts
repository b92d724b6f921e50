import { formatBytes, formatSeconds } from "@/app/_ui/amount-words";

export interface Setting {
  name: string;
  value: string;
  source: "setting" | "environment" | "default";
}

export interface SettingRow extends Setting {
  /** What it rules, in words. */
  label: string;
  /** The value with its unit. */
  words: string;
}

export interface SettingGroup {
  title: string;
  rows: SettingRow[];
}

type Write = (value: string) => string;

const plain: Write = (value) => value;
const seconds: Write = (value) => formatSeconds(Number(value));
const milliseconds: Write = (value) => formatSeconds(Number(value) / 1_000);
const mebibytes: Write = (value) => formatBytes(Number(value) * 1024 * 1024);

const groups: readonly { title: string; settings: Readonly<Record<string, readonly [string, Write]>> }[] = [
  {
    title: "Limits of a Sandbox",
    settings: {
      SANDBOX_CPUS: ["CPUs", plain],
      SANDBOX_MEMORY_MB: ["Memory, without swap", mebibytes],
      SANDBOX_PIDS: ["Processes", plain],
      SANDBOX_DISK_MB: ["Disk that it may write", mebibytes],
      SANDBOX_RUNTIME: ["Runtime", plain],
      SANDBOX_IMAGE: ["Image", plain],
    },
  },
  {
    title: "How many, and how long",
    settings: {
      SANDBOX_MAX: ["Live Sandboxes on this host", plain],
      SANDBOX_WARM: ["Containers started ahead", plain],
      MAX_ACTIVE_SANDBOXES_PER_CHANGE: ["Open workspaces of a Change", plain],
      SANDBOX_IDLE_MS: ["An idle Sandbox is removed after", milliseconds],
      WORKSPACE_SLEEP_AFTER_SECONDS: ["A workspace sleeps without a call after", seconds],
      WORKSPACE_RESERVE_SECONDS: ["Reserved at each open", seconds],
      WORKSPACE_IDLE_TAIL_SECONDS: ["Tail charged at each end", seconds],
      RUN_EXPIRE_SECONDS: ["A Run fails without a call after", seconds],
      RUN_MAX_SECONDS: ["A Run fails at the age of", seconds],
    },
  },
  {
    title: "Network and this server",
    settings: {
      EGRESS_ALLOWLIST: ["Hosts that are always allowed", plain],
      IMPORT_ALLOWED_HOSTS: ["Hosts that imports may come from", plain],
      HOST_ADDRESSES: ["Addresses that no Sandbox reaches", plain],
      SANDBOX_NETWORK: ["Prefix of Sandbox networks", plain],
      PUBLIC_URL: ["Address of the dashboard", plain],
      PORT: ["Port", plain],
      DATA_DIR: ["Data folder", plain],
    },
  },
];

/** Settings in groups with their meaning and unit. One that is not known here stands at the end under its own name. */
export function groupSettings(settings: readonly Setting[]): SettingGroup[] {
  const left = new Map(settings.map((setting) => [setting.name, setting]));
  const known = groups.map(({ title, settings: named }) => ({
    title,
    rows: Object.entries(named).flatMap(([name, [label, write]]) => {
      const setting = left.get(name);
      if (setting === undefined) return [];
      left.delete(name);
      return [{ ...setting, label, words: setting.value === "" ? "" : write(setting.value) }];
    }),
  }));
  const rest = [...left.values()].map((setting) => ({
    ...setting,
    label: setting.name,
    words: setting.value,
  }));
  return [...known, { title: "Other", rows: rest }].filter(({ rows }) => rows.length > 0);
}

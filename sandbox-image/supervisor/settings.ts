/** The limits of this container, as its environment names them. A limit that is not named is not watched. */
export interface SupervisorSettings {
  idleMs: number;
  memoryBytesMax: number | null;
  processesMax: number | null;
  diskBytesMax: number | null;
  /** Free space on the host's disk below which the fullest Run is stopped. */
  diskFloorBytes: number;
}

const ownNames = [
  "SANDBOX_IDLE_MS",
  "SANDBOX_MEMORY_BYTES_MAX",
  "SANDBOX_PIDS_MAX",
  "SANDBOX_DISK_BYTES_MAX",
  "SANDBOX_DISK_FLOOR_BYTES",
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws one error that names the faulty variable; the container does not start then. */
export function parseSupervisorSettings(env: Environment): SupervisorSettings {
  const read = (name: (typeof ownNames)[number]): number | null => {
    const text = env[name];
    if (text === undefined || text === "") return null;
    if (!/^\d{1,15}$/.test(text)) throw new Error(`${name} is not a whole number`);
    return Number(text);
  };
  return {
    idleMs: read("SANDBOX_IDLE_MS") ?? 120_000,
    memoryBytesMax: read("SANDBOX_MEMORY_BYTES_MAX"),
    processesMax: read("SANDBOX_PIDS_MAX"),
    diskBytesMax: read("SANDBOX_DISK_BYTES_MAX"),
    diskFloorBytes: read("SANDBOX_DISK_FLOOR_BYTES") ?? 0,
  };
}

/** The container's environment as commands get it: without the supervisor's own names. */
export function commandBaseEnvironment(env: Environment): Record<string, string> {
  const base: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isSupervisorName(name)) base[name] = value;
  }
  return base;
}

/** Names that a caller may not set: read by the loader or the C library before the uid is changed, or set here. */
export function isRefusedName(name: string): boolean {
  return (
    !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ||
    /^(LD_|GLIBC_|MALLOC_)/.test(name) ||
    ["GCONV_PATH", "LOCPATH", "NLSPATH", "HOME", "TMPDIR", "USER"].includes(name) ||
    isSupervisorName(name)
  );
}

function isSupervisorName(name: string): boolean {
  return (ownNames as readonly string[]).includes(name);
}

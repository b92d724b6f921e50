import { isIP } from "node:net";
import { z } from "zod";

const integer = (fallback: number, min: number, max: number): z.ZodType<number> =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const hostPattern = z
  .string()
  .regex(
    /^(\*\.)?([a-z0-9_]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    "is not a host name or *.name",
  )
  // A name that ends in a number is an address to whoever resolves it, and addresses are not allowed by name.
  .refine((text) => !/(^|\.)(0x[0-9a-f]*|[0-9]+)$/.test(text), "is an address and not a host name");

/** An allowed host; `address` is one address that it may resolve to although its range is refused. */
const allowedHost = z
  .string()
  .transform((text) => {
    const [host = "", address = null] = text.split("=", 2);
    return { host, address };
  })
  .pipe(
    z.object({
      host: hostPattern,
      address: z
        .string()
        .refine((text) => isIP(text) !== 0, "names an address that is not one")
        .nullable(),
    }),
  );

const list = <Item>(item: z.ZodType<Item, string>): z.ZodType<Item[]> =>
  z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(/[\s,]+/)
        .filter((part) => part !== "")
        .map((part) => part.toLowerCase()),
    )
    .pipe(z.array(item));

/**
 * Exact host names or addresses, lower case, with commas between them. Each opens a private range, so a value that could
 * be meant in two ways is refused: a space in it, a port, a wildcard.
 */
export const hostList: z.ZodType<string[]> = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part !== ""),
  )
  .pipe(
    z.array(
      z
        .string()
        .refine(
          (text) => isIP(text) !== 0 || (hostPattern.safeParse(text).success && !text.startsWith("*")),
          {
            error: ({ input }) =>
              `${JSON.stringify(input)} is not one host name or address; commas go between several`,
          },
        ),
    ),
  );

/** IP addresses of one setting. */
export const addressList: z.ZodType<string[]> = list(
  z.string().refine((text) => isIP(text) !== 0, "is not an IP address"),
);

const settingsSchema = z.object({
  /** The one image that sandboxd starts. */
  SANDBOX_IMAGE: z.string().default("rhumbatron/sandbox:local"),
  SANDBOX_CPUS: z.coerce.number().min(0.1).max(64).default(2),
  SANDBOX_MEMORY_MB: integer(2048, 256, 1_048_576),
  SANDBOX_PIDS: integer(512, 64, 32_768),
  SANDBOX_DISK_MB: integer(8192, 64, 1_048_576),
  SANDBOX_RUNTIME: z.enum(["runc", "runsc"]).default("runc"),
  /** Live sandboxes on this host. */
  SANDBOX_MAX: integer(4, 1, 64),
  SANDBOX_IDLE_MS: integer(120_000, 1_000, 86_400_000),
  /** Prefix of the internal networks `<prefix>_<n>`. */
  SANDBOX_NETWORK: z
    .string()
    .regex(/^[a-z][a-z0-9_]{2,40}$/, "must be 3 to 41 of a-z, 0-9 and _, a letter first")
    .default("rhumbatron_sbx"),
  SANDBOX_WARM: integer(1, 0, 16),
  SANDBOX_MONTHLY_SECONDS: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  MAX_ACTIVE_SANDBOXES_PER_CHANGE: integer(4, 1, 64),
  /** Held when a workspace opens, settled after its end, and how long it stays awake without a call. */
  WORKSPACE_RESERVE_SECONDS: integer(300, 1, 86_400),
  WORKSPACE_IDLE_TAIL_SECONDS: integer(120, 0, 86_400),
  WORKSPACE_SLEEP_AFTER_SECONDS: integer(120, 1, 86_400),
  /** A Run without a call for so long, or older than that, ends as expired. */
  RUN_EXPIRE_SECONDS: integer(3_600, 60, 2_592_000),
  RUN_MAX_SECONDS: integer(28_800, 60, 2_592_000),
  /** `name`, `*.name`, or `name=address` for a host whose address lies in a range that is refused otherwise. */
  EGRESS_ALLOWLIST: list(allowedHost),
  /** Hosts whose private addresses an import may reach. */
  IMPORT_ALLOWED_HOSTS: hostList,
  /** Addresses that egress and imports refuse besides the private ranges. */
  HOST_ADDRESSES: addressList,
  /** Where package managers inside a sandbox look for packages. */
  NPM_REGISTRY_URL: z.url({ protocol: /^https?$/ }).default("https://registry.npmjs.org/"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().default("./.data"),
  PORT: integer(3000, 1, 65_535),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
});

/** Every setting of the table in the README, typed: MiB, milliseconds and seconds as their names say. */
export type Settings = z.output<typeof settingsSchema>;

/**
 * Reads every setting from an environment. An empty value counts as unset.
 * Errors: throws one `ConfigError` that names every faulty variable at once.
 */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  return parseEnvironment(settingsSchema, env);
}

/** Parses one process's own environment with the same rules as the settings. */
export function parseEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const result = schema.safeParse(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")),
  );
  if (!result.success) throw new ConfigError(result.error.issues.map(describeIssue));
  return result.data;
}

/** Names each faulty variable, for an operator; the process does not start. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly faults: readonly string[]) {
    super(`These settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join(".")}: ${issue.message}`;
}

import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { z } from "zod";
import { writeWhole } from "./data-dir";
import { systemErrorCode } from "./operator-error";

/** Ports on 127.0.0.1 that only the stack's own parts use. */
export interface InternalPorts {
  postgres: number;
  git: number;
  gitControl: number;
  egressControl: number;
}

const portSchema = z.number().int().min(1).max(65_535);
const portsSchema = z.object({
  postgres: portSchema,
  git: portSchema,
  gitControl: portSchema,
  egressControl: portSchema,
  /** What the dashboard was last started on. */
  dashboard: portSchema.optional(),
});
const internalNames = ["postgres", "git", "gitControl", "egressControl"] as const;

/** The ports that were picked before; null before the first start. */
export function findPorts(path: string): z.output<typeof portsSchema> | null {
  try {
    return portsSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT" || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

/**
 * Keeps each port for ever, unless somebody else has taken it while ours was down: that one is picked anew.
 * `isOurs` says whether what listens there is ours.
 */
export async function ensurePorts(
  path: string,
  isOurs: (name: keyof InternalPorts) => Promise<boolean>,
): Promise<InternalPorts> {
  const kept = findPorts(path);
  const ports = { ...(kept ?? { postgres: 0, git: 0, gitControl: 0, egressControl: 0 }) };
  for (const name of internalNames) {
    if (ports[name] !== 0 && ((await isOurs(name)) || (await isPortFree(ports[name], "127.0.0.1")))) continue;
    ports[name] = await pickPort(new Set(internalNames.map((other) => ports[other])));
  }
  await savePorts(path, ports);
  return ports;
}

/** Remembers which port the dashboard has, to tell it from another program's. */
export async function saveDashboardPort(path: string, port: number): Promise<void> {
  const kept = findPorts(path);
  if (kept !== null && kept.dashboard !== port) await savePorts(path, { ...kept, dashboard: port });
}

async function savePorts(path: string, ports: z.output<typeof portsSchema>): Promise<void> {
  await writeWhole(path, `${JSON.stringify(ports, null, 2)}\n`, 0o600);
}

/** Tries to listen there, as the part that wants the port will do. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      const code = systemErrorCode(error);
      if (code === "EADDRINUSE" || code === "EACCES") resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Below the range that the system takes ports for outgoing connections from. */
async function pickPort(taken: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = randomInt(21_000, 31_000);
    if (!taken.has(port) && (await isPortFree(port, "127.0.0.1"))) return port;
  }
}

import { request, type RequestOptions } from "node:http";
import { z } from "zod";
import type { Clock } from "../../platform/clock";
import { describeError } from "../../platform/errors";
import { componentHealth, type ComponentHealth, type ComponentName, type Health, type Probe } from "./health";

/** How long a health report waits for its slowest part. */
const probeTimeoutMs = 4_000;

/** What a health answer may weigh; more than that is not one of ours. */
const answerBytesMax = 64 * 1024;

/**
 * Puts probes together: all at once, each cut off at the deadline, so that one part that hangs is reported as `down`
 * and hides no other.
 */
export function createHealth(deps: {
  version: string;
  clock: Clock;
  probes: Record<ComponentName, Probe>;
}): Health {
  const { version, clock, probes } = deps;
  return {
    report: async () => {
      const entries = Object.entries(probes).map(
        async ([name, probe]) => [name, await withDeadline(probe, clock)] as const,
      );
      const components = Object.fromEntries(await Promise.all(entries)) as Record<
        ComponentName,
        ComponentHealth
      >;
      const isHealthy = Object.values(components).every((component) => component.status === "ok");
      return { status: isHealthy ? "ok" : "degraded", version, components };
    },
  };
}

async function withDeadline(probe: Probe, clock: Clock): Promise<ComponentHealth> {
  const controller = new AbortController();
  const deadline = clock.sleep(probeTimeoutMs, controller.signal).then(
    (): ComponentHealth => ({ status: "down", detail: `did not answer within ${probeTimeoutMs / 1000} s` }),
    (): ComponentHealth => ({ status: "down", detail: "was not waited for" }),
  );
  try {
    return await Promise.race([probe(controller.signal), deadline]);
  } finally {
    controller.abort();
  }
}

/** The database answers a query. `ping` is the query. */
export function createDatabaseProbe(ping: () => Promise<unknown>): Probe {
  return async () => {
    try {
      await ping();
      return { status: "ok", detail: "answers queries" };
    } catch {
      // The driver's words may hold the address and the user name, and this report is public.
      return {
        status: "down",
        detail: "does not answer; `npm run stack:up` starts it, its log is postgres.log",
      };
    }
  };
}

/** Where a process of ours answers `GET /health`: a unix socket, or a control port. */
export type HealthAddress = { socketPath: string } | { host: string; port: number };

/** A process that reports one part about itself. `name` is what `stack:logs` calls it. */
export function createProcessProbe(name: string, address: HealthAddress): Probe {
  return async (signal) => {
    const answer = await readHealth(address, signal);
    const parsed = componentHealth.safeParse(answer.body);
    return parsed.success ? parsed.data : unreachable(name, answer.fault);
  };
}

const sandboxdHealth = z.object({ components: z.record(z.string(), componentHealth) });

/** One component that sandboxd reports about the engine behind it. */
export function createSandboxdProbe(component: string, address: HealthAddress): Probe {
  return async (signal) => {
    const answer = await readHealth(address, signal);
    const parsed = sandboxdHealth.safeParse(answer.body);
    const found = parsed.success ? parsed.data.components[component] : undefined;
    return found ?? unreachable("sandboxd", answer.fault);
  };
}

function unreachable(name: string, fault: string | null): ComponentHealth {
  const why = fault ?? "gave an answer that was not understood";
  return {
    status: "down",
    detail: `${name} ${why}; run \`npm run stack:up\`, or read \`npm run stack:logs -- ${name}\``,
  };
}

async function readHealth(
  address: HealthAddress,
  signal: AbortSignal,
): Promise<{ body: unknown; fault: string | null }> {
  try {
    return { body: await getJson({ ...address, path: "/health", signal }), fault: null };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : describeError(error);
    return { body: null, fault: `does not answer (${code})` };
  }
}

/** The built-in fetch cannot speak to a unix socket, so both kinds of address go through node:http. */
function getJson(options: RequestOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > answerBytesMax) response.destroy(new Error("the answer is too long"));
      });
      response.on("error", reject);
      response.on("end", () => {
        try {
          resolve(JSON.parse(text));
        } catch {
          resolve(null);
        }
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

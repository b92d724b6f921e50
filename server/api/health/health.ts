import { z } from "zod";

export const componentStatus = z.enum(["ok", "degraded", "down"]);

/** One part, and in words what is wrong with it and what to do. */
export const componentHealth = z.object({ status: componentStatus, detail: z.string() });

export const healthReport = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  components: z.object({
    database: componentHealth,
    engine: componentHealth,
    image: componentHealth,
    git: componentHealth,
    egress: componentHealth,
  }),
});

export type ComponentHealth = z.output<typeof componentHealth>;
export type HealthReport = z.output<typeof healthReport>;
export type ComponentName = keyof HealthReport["components"];

/** How one part is looked at. A probe never throws: what it cannot reach is `down`, with words. */
export type Probe = (signal: AbortSignal) => Promise<ComponentHealth>;

/** Looks at every part at once. It answers within the probes' common deadline, whatever hangs. */
export interface Health {
  report(): Promise<HealthReport>;
}

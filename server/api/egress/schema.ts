import { z } from "zod";

/** What a caller names: `parseHostPattern` decides on it. */
export const hostInput = z.strictObject({ host: z.string().max(300) });

/** `isInForce` is false while egress cannot be told; it is told again every few seconds. */
export const changeView = z.object({ host: z.string(), isInForce: z.boolean() });

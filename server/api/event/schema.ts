import { z } from "zod";
import type { EventRecord } from "../../events/types";
import { time } from "../fields";

/** Types of events that a reader asks for; one that does not exist yet is simply never met. */
export const typesInput = z
  .array(z.string().regex(/^[a-z]+\.[a-z_]+$/, "is not a type of events"))
  .min(1)
  .max(50)
  .optional();

export const eventView = z.object({
  id: z.uuid(),
  type: z.string(),
  at: time,
  projectId: z.uuid().nullable(),
  changeId: z.uuid().nullable(),
  data: z.record(z.string(), z.json()),
});

export function toEventView(event: EventRecord): z.output<typeof eventView> {
  return { ...event, at: event.at.toISOString() };
}

import { z } from "zod";
import type { IntentRecord } from "../../intents/types";
import { time } from "../fields";

/** An Intent as the API shows it. */
export const intentView = z.object({
  id: z.uuid(),
  taskId: z.uuid(),
  changeId: z.uuid(),
  projectId: z.uuid(),
  actorId: z.uuid(),
  title: z.string(),
  body: z.string(),
  refusalId: z.uuid().nullable(),
  createdAt: time,
});

export function toIntentView(intent: IntentRecord): z.output<typeof intentView> {
  return { ...intent, createdAt: intent.createdAt.toISOString() };
}

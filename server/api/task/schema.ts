import { z } from "zod";
import { taskKinds, type TaskRecord } from "../../projects/types";
import { time } from "../fields";

export const taskKind = z.enum(taskKinds);

/** A Task as the API shows it. */
export const taskView = z.object({
  id: z.uuid(),
  changeId: z.uuid(),
  projectId: z.uuid(),
  kind: taskKind,
  title: z.string(),
  instructions: z.string(),
  createdAt: time,
});

export function toTaskView(task: TaskRecord): z.output<typeof taskView> {
  return { ...task, createdAt: task.createdAt.toISOString() };
}

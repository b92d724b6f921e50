import { randomUUID } from "node:crypto";
import type { Db } from "../platform/db";

/** The rows that a ChangeSet or an Intent hangs on. */
export interface TaskRows {
  projectId: string;
  changeId: string;
  taskId: string;
}

let lastUid = 10_000;

/** A Project that is ready, a Change and a Task in it. */
export async function insertTask(db: Db, projectId: string = randomUUID()): Promise<TaskRows> {
  const [changeId, taskId] = [randomUUID(), randomUUID()];
  const createdAt = new Date("2026-01-15T12:00:00.000Z");
  const createdById = randomUUID();
  await db.project.create({
    data: { id: projectId, name: "p", defaultBranch: "main", state: "ready", createdAt },
  });
  await db.change.create({
    data: { id: changeId, projectId, title: "c", description: "", createdById, createdAt },
  });
  await db.task.create({
    data: {
      id: taskId,
      changeId,
      projectId,
      kind: "implement",
      title: "t",
      instructions: "",
      createdById,
      createdAt,
    },
  });
  return { projectId, changeId, taskId };
}

/** A Run of that Task that is about to propose something. */
export async function insertRun(db: Db, task: TaskRows): Promise<string> {
  const id = randomUUID();
  const at = new Date("2026-01-15T12:00:00.000Z");
  await db.run.create({
    data: {
      id,
      ...task,
      actorId: randomUUID(),
      state: "completing",
      uid: lastUid++,
      openedAt: at,
      lastActivityAt: at,
    },
  });
  return id;
}

import { router } from "../trpc";
import { close } from "./close";
import { completeTask } from "./complete-task";
import { deleteFile } from "./delete-file";
import { editFile } from "./edit-file";
import { failTask } from "./fail-task";
import { get } from "./get";
import { listFiles } from "./list-files";
import { open } from "./open";
import { readFile } from "./read-file";
import { runCommand } from "./run-command";
import { waitCommand } from "./wait-command";
import { writeFile } from "./write-file";

export const workspaceRouter = router({
  close,
  completeTask,
  deleteFile,
  editFile,
  failTask,
  get,
  listFiles,
  open,
  readFile,
  runCommand,
  waitCommand,
  writeFile,
});

import type { Branded } from "../../platform/types";

/** A path below a Run's directory in its one canonical form, `a/b`; `.` is the directory. Made by `readWorkspacePath` only. */
export type WorkspacePath = Branded<string, "WorkspacePath">;

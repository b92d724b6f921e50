import type { TaskKind } from "./types";

const codingKinds: readonly TaskKind[] = ["implement", "migrate", "test"];

/** Whether a Task of this kind ever opens a workspace. */
export function isCodingKind(kind: TaskKind): boolean {
  return codingKinds.includes(kind);
}

/** How many workspaces of a Change may be open: its own number, never above the setting. */
export function slotLimit(maxActiveSandboxes: number | null, settingMax: number): number {
  return Math.min(maxActiveSandboxes ?? settingMax, settingMax);
}

/** A branch name that is safe wherever it goes: letters, digits and `._/-`, no empty, dotted or `.lock` component. */
export function isBranchName(name: string): boolean {
  if (!/^[A-Za-z0-9_][A-Za-z0-9._/-]{0,99}$/.test(name) || name.includes("..") || name === "HEAD")
    return false;
  return name
    .split("/")
    .every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".") && !part.endsWith(".lock"));
}

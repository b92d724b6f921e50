import { DomainError } from "../../server/platform/errors";

const pathBytesMax = 4096;
const componentBytesMax = 255;
/** Characters that some file systems, and so git, do not see in a name. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Cuts a path given by a caller into its components; none for the root itself. `.` and doubled slashes mean nothing.
 * Errors: `input.invalid` for what no file can be called, `path.outside_workspace` for what leads out by its words,
 * `path.reserved` for a `.git` at any depth, also under the names that git takes for it.
 */
export function parsePath(path: string): string[] {
  if (
    path === "" ||
    path.includes("\0") ||
    Buffer.byteLength(path) > pathBytesMax ||
    /\p{Surrogate}/u.test(path)
  ) {
    throw new DomainError("input.invalid", "A path has 1 to 4096 bytes of UTF-8 and no NUL.");
  }
  if (path.startsWith("/")) throw outsideWorkspace("A path is relative to the workspace.");
  const components = path.split("/").filter((component) => component !== "" && component !== ".");
  for (const component of components) {
    if (component === "..") throw outsideWorkspace("A path does not lead upwards.");
    if (Buffer.byteLength(component) > componentBytesMax) {
      throw new DomainError("input.invalid", "A name in a path has at most 255 bytes.");
    }
    if (isReservedName(component))
      throw new DomainError("path.reserved", "The .git directory is not for file tools.");
  }
  return components;
}

export function outsideWorkspace(message: string): DomainError {
  return new DomainError("path.outside_workspace", message);
}

/** Whether git takes this name for `.git`, on whatever file system it is checked out. */
export function isReservedName(name: string): boolean {
  return name
    .replace(ignorable, "")
    .split("\\")
    .some((part) => /^(\.git|git~1)[ .]*(:.*)?$/is.test(part));
}

import { DomainError, type DomainCode } from "../../platform/errors";
import type { WorkspacePath } from "./types";

const pathBytesMax = 4096;
const componentBytesMax = 255;
/** Characters that some file systems, and so git, do not see in a name. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

export interface PathFault {
  code: Extract<DomainCode, "input.invalid" | "path.outside_workspace" | "path.reserved">;
  message: string;
}

export type PathReading = { status: "path"; path: WorkspacePath } | { status: "fault"; fault: PathFault };

/**
 * Reads a path by its words alone: what it gives stays below the Run's directory and out of every `.git`, whatever the
 * file system takes for the same name. Shape: `a/b`, without `.` and doubled or final slashes; `.` for the directory
 * itself. The Sandbox checks again, against links.
 */
export function readWorkspacePath(text: string): PathReading {
  if (text === "") return faultOf("input.invalid", "A path is not empty.");
  if (/\p{Cs}/u.test(text)) return faultOf("input.invalid", "A path is well-formed Unicode.");
  if (Buffer.byteLength(text) > pathBytesMax) {
    return faultOf("input.invalid", `A path has at most ${pathBytesMax} bytes.`);
  }
  if (/\p{Cc}/u.test(text)) {
    return faultOf("input.invalid", "A path holds no control characters: no NUL, no line feed.");
  }
  if (text.startsWith("/")) {
    return faultOf(
      "path.outside_workspace",
      "A path is relative to the workspace: it does not begin with a slash.",
    );
  }
  const components = text.split("/").filter((component) => component !== "" && component !== ".");
  for (const component of components) {
    const fault = findComponentFault(component);
    if (fault !== null) return { status: "fault", fault };
  }
  return { status: "path", path: (components.length === 0 ? "." : components.join("/")) as WorkspacePath };
}

/** The same for callers that cannot go on without a path. Errors: `input.invalid`, `path.outside_workspace`, `path.reserved`. */
export function checkWorkspacePath(text: string): WorkspacePath {
  const reading = readWorkspacePath(text);
  if (reading.status === "fault")
    throw new DomainError(reading.fault.code, reading.fault.message, { path: shorten(text) });
  return reading.path;
}

/** A path that can name a file. Errors: as above, and `file.not_regular` for the directory itself and for `a/`. */
export function checkFilePath(text: string): WorkspacePath {
  const path = checkWorkspacePath(text);
  if (path === "." || /\/\.?$/.test(text)) {
    throw new DomainError("file.not_regular", "The path names a directory, not a file.", {
      path: shorten(text),
    });
  }
  return path;
}

/** A path that may be deleted. Errors: as above, and `path.reserved` for the Run's directory itself. */
export function checkDeletePath(text: string): WorkspacePath {
  const path = checkWorkspacePath(text);
  if (path === ".") throw new DomainError("path.reserved", "The workspace itself cannot be deleted.");
  return path;
}

/** Whether git takes this name for `.git` on any file system that it is checked out on. */
export function isReservedName(name: string): boolean {
  return name
    .replace(ignorable, "")
    .split("\\")
    .some((part) => /^(\.git|git~1)[ .]*(:.*)?$/is.test(part));
}

function findComponentFault(component: string): PathFault | null {
  if (isParentName(component)) {
    return {
      code: "path.outside_workspace",
      message: "A path does not lead upwards: `..` is not allowed in it.",
    };
  }
  if (Buffer.byteLength(component) > componentBytesMax) {
    return { code: "input.invalid", message: `A name in a path has at most ${componentBytesMax} bytes.` };
  }
  if (isReservedName(component)) {
    return { code: "path.reserved", message: "Nothing in a `.git` directory can be reached by its path." };
  }
  return null;
}

/** `..`, also where another system's separator or a URL's encoding hides it. */
function isParentName(component: string): boolean {
  return component
    .replace(/%2e/gi, ".")
    .split(/\\|%5c|%2f/i)
    .some((part) => part === "..");
}

function faultOf(code: PathFault["code"], message: string): PathReading {
  return { status: "fault", fault: { code, message } };
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

import { DomainError, type DomainCode } from "../../server/platform/errors";

const codes: Readonly<Record<string, { code: DomainCode; message: string }>> = {
  ENOENT: { code: "file.not_found", message: "There is no such file." },
  ENOTDIR: { code: "file.not_found", message: "There is no such file." },
  EISDIR: { code: "file.not_regular", message: "The path names a directory." },
  ENXIO: { code: "file.not_regular", message: "The path names no regular file." },
  ELOOP: { code: "path.outside_workspace", message: "A link stands on the way: links are not followed." },
  ENAMETOOLONG: { code: "input.invalid", message: "A name in a path has at most 255 bytes." },
  ENOTEMPTY: { code: "input.invalid", message: "The directory is not empty: ask for a recursive deletion." },
  EACCES: {
    code: "file.not_regular",
    message: "Its permissions, or those of its directory, do not allow this.",
  },
  EPERM: {
    code: "file.not_regular",
    message: "Its permissions, or those of its directory, do not allow this.",
  },
  ENOSPC: { code: "limit.size", message: "The disk is full." },
  EDQUOT: { code: "limit.size", message: "The disk is full." },
  EFBIG: { code: "limit.size", message: "The file would be larger than a file may be." },
  EMFILE: { code: "limit.size", message: "The directory is nested too deep." },
};

/** Names what went wrong in a file call; what has no name here is `internal`, and its cause stays inside. */
export function toFileError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = codes[code];
  return known === undefined
    ? new DomainError("internal", "The file call failed.", {}, { cause: error })
    : new DomainError(known.code, known.message, {}, { cause: error });
}

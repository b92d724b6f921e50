import { weigh } from "@/app/_diff/file-weight";
import type { DiffFile } from "@/app/_diff/places";

export type TreeRow =
  | { kind: "folder"; key: string; name: string; depth: number; isOpen: boolean; files: number }
  | { kind: "file"; key: string; file: DiffFile; name: string; depth: number };

export interface FileFilter {
  name: string;
  kind: "all" | DiffFile["status"] | "binary";
  onlyUnviewed: boolean;
  onlyCommented: boolean;
  generated: "all" | "only" | "none";
}

export const noFilter: FileFilter = {
  name: "",
  kind: "all",
  onlyUnviewed: false,
  onlyCommented: false,
  generated: "all",
};

interface FileMarks {
  isViewed: (path: string) => boolean;
  hasNotes: (path: string) => boolean;
}

/** The files that pass a filter, in their order. */
export function filterFiles(files: readonly DiffFile[], filter: FileFilter, marks: FileMarks): DiffFile[] {
  const name = filter.name.trim().toLowerCase();
  return files.filter((file) => {
    const isNamed =
      name === "" ||
      file.displayPath.toLowerCase().includes(name) ||
      file.oldDisplayPath.toLowerCase().includes(name);
    if (!isNamed) return false;
    if (
      filter.kind === "binary" ? file.kind !== "binary" : filter.kind !== "all" && file.status !== filter.kind
    )
      return false;
    if (filter.onlyUnviewed && marks.isViewed(file.path)) return false;
    if (filter.onlyCommented && !marks.hasNotes(file.path)) return false;
    const isGenerated = weigh(file).fold === "generated" || weigh(file).fold === "lock";
    return filter.generated === "all" || isGenerated === (filter.generated === "only");
  });
}

/** git's order, which keeps folders together, or the largest change first. */
export function orderFiles(files: readonly DiffFile[], order: "path" | "size"): readonly DiffFile[] {
  if (order === "path") return files;
  return [...files].sort((a, b) => weigh(b).changedLines - weigh(a).changedLines);
}

/** One row a file, flat: what an order other than by path needs. */
export function flatRows(files: readonly DiffFile[]): TreeRow[] {
  return files.map((file) => ({ kind: "file", key: file.path, file, name: file.displayPath, depth: 0 }));
}

/** Folders and files in git's order. A folder that holds one folder and nothing else is one row with it. */
export function treeRows(files: readonly DiffFile[], closed: ReadonlySet<string>): TreeRow[] {
  const root: Folder = { path: "", name: "", entries: [], folders: new Map(), files: 0 };
  for (const file of files) place(root, file);
  const rows: TreeRow[] = [];
  for (const entry of root.entries) push(rows, entry, 0, closed);
  return rows;
}

interface Folder {
  path: string;
  name: string;
  entries: (Folder | DiffFile)[];
  folders: Map<string, Folder>;
  files: number;
}

function place(root: Folder, file: DiffFile): void {
  const names = file.displayPath.split("/").slice(0, -1);
  let folder = root;
  for (const name of names) {
    let next = folder.folders.get(name);
    if (next === undefined) {
      next = { path: `${folder.path}${name}/`, name, entries: [], folders: new Map(), files: 0 };
      folder.folders.set(name, next);
      folder.entries.push(next);
    }
    next.files += 1;
    folder = next;
  }
  folder.entries.push(file);
}

function push(rows: TreeRow[], entry: Folder | DiffFile, depth: number, closed: ReadonlySet<string>): void {
  if ("displayPath" in entry) {
    const name = entry.displayPath.slice(entry.displayPath.lastIndexOf("/") + 1);
    rows.push({ kind: "file", key: entry.path, file: entry, name, depth });
    return;
  }
  let folder = entry;
  let name = folder.name;
  for (let only = onlyFolder(folder); only !== null; only = onlyFolder(folder)) {
    folder = only;
    name = `${name}/${folder.name}`;
  }
  const isOpen = !closed.has(folder.path);
  rows.push({ kind: "folder", key: `${folder.path}/`, name, depth, isOpen, files: folder.files });
  if (isOpen) for (const child of folder.entries) push(rows, child, depth + 1, closed);
}

function onlyFolder(folder: Folder): Folder | null {
  const [first] = folder.entries;
  return folder.entries.length === 1 && first !== undefined && !("displayPath" in first) ? first : null;
}

import { processFile, type FileDiffLoadedFiles, type FileDiffMetadata } from "@pierre/diffs";
import { cutLongLines, markUnseen } from "./marked-text";
import { decodePatch, sidesOf, toPlainPatch, type RawPatch } from "./patch-text";
import type { DiffFile } from "./places";

/** One file's diff, ready to be drawn. */
export interface ParsedBody {
  fileDiff: FileDiffMetadata;
  /** Lines that are shown only in part, and more of them can be asked for. */
  cutLines: number;
  /** Characters that were written as their code. */
  marks: number;
  /** Some lines were read by a guess of their encoding. */
  isGuessed: boolean;
  /** The two sides differ in line ends or a byte order mark and in nothing else. */
  isOnlyEndings: boolean;
}

export interface ParseOptions {
  /** Tells this body from every other one, for the cache of coloured lines. */
  cacheKey: string;
  showsLongLines: boolean;
  /** So many lines around each change were asked for. */
  context: number;
}

const lineCharactersMax = 4_000;
/** Even when long lines are asked for: a browser takes seconds to lay out a line of millions. */
const longLineCharactersMax = 100_000;
const fileByDiff = new WeakMap<FileDiffMetadata, DiffFile>();

/** The file that a parsed diff was made of. Two files can have one name for eyes; this tells them apart. */
export function fileOf(fileDiff: FileDiffMetadata): DiffFile {
  const file = fileByDiff.get(fileDiff);
  if (file === undefined) throw new Error("This diff was not parsed here.");
  return file;
}

/** Throws when the patch is not whole: a wrong line is worse than none. */
export function parseBody(file: DiffFile, raw: RawPatch, options: ParseOptions): ParsedBody {
  if (raw.truncated) throw new Error("The diff of this file is too large to be shown whole.");
  const { text, isGuessed } = decodePatch(raw);
  const plain = toPlainPatch(text, file);
  const cut = cutLongLines(plain, charactersMaxOf(options));
  const marked = markUnseen(cut.text);
  const parsed = processFile(marked.text, {
    cacheKey: options.cacheKey,
    isGitDiff: true,
    disableLineMatching: true,
    throwOnError: true,
  });
  if (parsed === undefined) throw new Error("The diff of this file cannot be read.");
  const fileDiff = withNames({ ...parsed, isPartial: !isWhole(parsed, options.context) }, file);
  fileByDiff.set(fileDiff, file);
  const mayBeOnlyEndings = file.flags.some(
    (flag) => flag === "line_endings_changed" || flag === "bom_changed",
  );
  return {
    fileDiff,
    cutLines: options.showsLongLines ? 0 : cut.cutLines,
    marks: marked.marks,
    isGuessed,
    isOnlyEndings: mayBeOnlyEndings && hasOnlyEndings(fileDiff),
  };
}

/** Both sides whole, as the lines of `parseBody` show them, so that lines between hunks can be laid open. */
export function parseSides(file: DiffFile, raw: RawPatch, options: ParseOptions): FileDiffLoadedFiles {
  if (raw.truncated) throw new Error("This file is too large to be shown whole.");
  const plain = toPlainPatch(decodePatch(raw).text, file);
  const sides = sidesOf(markUnseen(cutLongLines(plain, charactersMaxOf(options)).text).text);
  return {
    oldFile: { name: file.oldDisplayPath, contents: sides.old, cacheKey: `${options.cacheKey}:old` },
    newFile: { name: file.displayPath, contents: sides.new, cacheKey: `${options.cacheKey}:new` },
  };
}

function charactersMaxOf({ showsLongLines }: ParseOptions): number {
  return showsLongLines ? longLineCharactersMax : lineCharactersMax;
}

/** Stands for a file whose lines are not there: not loaded, binary, folded. */
export function emptyDiff(file: DiffFile): FileDiffMetadata {
  return {
    name: file.displayPath,
    type: "new",
    hunks: [],
    splitLineCount: 0,
    unifiedLineCount: 0,
    isPartial: true,
    additionLines: [],
    deletionLines: [],
    additionCharacterCount: 0,
    deletionCharacterCount: 0,
  };
}

/** True when the lines are the whole file: they begin at its start, and end before so many lines as were asked for. */
function isWhole({ hunks }: FileDiffMetadata, context: number): boolean {
  const [hunk, second] = hunks;
  if (hunk === undefined || second !== undefined) return false;
  const last = hunk.hunkContent.at(-1);
  const after = last?.type === "context" ? last.lines : 0;
  return hunk.additionStart <= 1 && hunk.deletionStart <= 1 && after < context;
}

function withNames(parsed: FileDiffMetadata, file: DiffFile): FileDiffMetadata {
  const fileDiff = { ...parsed, name: file.displayPath };
  if (file.status !== "renamed") return fileDiff;
  return { ...fileDiff, prevName: file.oldDisplayPath, type: "rename-changed" };
}

function hasOnlyEndings(fileDiff: FileDiffMetadata): boolean {
  const bare = (line: string | undefined): string =>
    (line ?? "").replace(/^⟦U\+FEFF⟧/, "").replace(/\r?\n$/, "");
  return fileDiff.hunks.every((hunk) =>
    hunk.hunkContent.every((content) => {
      if (content.type === "context") return true;
      if (content.additions !== content.deletions) return false;
      for (let index = 0; index < content.additions; index += 1) {
        const before = fileDiff.deletionLines[content.deletionLineIndex + index];
        const after = fileDiff.additionLines[content.additionLineIndex + index];
        if (bare(before) !== bare(after)) return false;
      }
      return true;
    }),
  );
}

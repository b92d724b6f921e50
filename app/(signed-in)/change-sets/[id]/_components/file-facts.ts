import {
  ArrowLeftRight,
  Binary,
  CircleAlert,
  EyeOff,
  FileCog,
  FileLock,
  Link2,
  SquareTerminal,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import { formatBytes } from "@/app/_ui/amounts";
import type { Tone } from "@/app/_ui/badge";
import { isLockFile } from "@/app/_diff/file-weight";
import type { DiffFile } from "@/app/_diff/places";

/** Something about a file that its lines do not tell. */
export interface FileFact {
  word: string;
  /** A sentence for whoever wants to know more. */
  detail: string;
  tone: Tone;
  icon: LucideIcon;
}

type Flag = DiffFile["flags"][number];

const flagFacts: Partial<Record<Flag, FileFact>> = {
  invisible_or_bidi: {
    word: "Hidden characters",
    detail:
      "It holds characters that cannot be seen or that turn the order of text. They are drawn as boxes.",
    tone: "bad",
    icon: EyeOff,
  },
  conflict_markers: {
    word: "Conflict markers",
    detail: "It holds the marks of a merge that was not finished.",
    tone: "bad",
    icon: TriangleAlert,
  },
  nul_in_text: {
    word: "NUL in text",
    detail: "git would call it binary for a U+0000 in it. It reads as text, so it is compared as text.",
    tone: "warn",
    icon: TriangleAlert,
  },
  bom_changed: {
    word: "BOM changed",
    detail: "A byte order mark at its start came or went.",
    tone: "warn",
    icon: CircleAlert,
  },
  line_endings_changed: {
    word: "Line endings changed",
    detail: "Its lines end in another way than before.",
    tone: "warn",
    icon: CircleAlert,
  },
  no_final_newline: {
    word: "No final newline",
    detail: "Its last line does not end in a line feed.",
    tone: "neutral",
    icon: CircleAlert,
  },
  generated: {
    word: "Generated",
    detail: "The attributes of the base call it generated. Those of the proposed side have no say.",
    tone: "neutral",
    icon: FileCog,
  },
  not_scanned: {
    word: "Not scanned",
    detail: "It is too large to be looked through: hidden characters and the like would not be told here.",
    tone: "warn",
    icon: EyeOff,
  },
};

const kindFacts: Partial<Record<DiffFile["kind"], FileFact>> = {
  binary: { word: "Binary", detail: "It has no lines to compare.", tone: "neutral", icon: Binary },
  symlink: {
    word: "Symbolic link",
    detail: "Its content is the path it points to.",
    tone: "warn",
    icon: Link2,
  },
  submodule: { word: "Submodule", detail: "A commit of another repository.", tone: "warn", icon: Link2 },
};

/** The facts of one file, what could hurt first. */
export function factsOf(file: DiffFile): FileFact[] {
  const facts: FileFact[] = [];
  const add = (fact: FileFact | undefined): void => {
    if (fact !== undefined) facts.push(fact);
  };
  for (const flag of ["invisible_or_bidi", "conflict_markers", "nul_in_text"] as const) {
    if (file.flags.includes(flag)) add(flagFacts[flag]);
  }
  if (file.status === "type_changed") add(typeFact(file));
  else {
    add(modeFact(file));
    add(kindFacts[file.kind]);
  }
  add(lfsFact(file));
  for (const flag of ["bom_changed", "line_endings_changed", "no_final_newline", "generated"] as const) {
    if (file.flags.includes(flag)) add(flagFacts[flag]);
  }
  if (isLockFile(file.path)) {
    add({
      word: "Lock file",
      detail: "It says which packages are installed.",
      tone: "neutral",
      icon: FileLock,
    });
  }
  add(encodingFact(file));
  if (file.flags.includes("not_scanned") && file.kind === "text") add(flagFacts.not_scanned);
  return facts;
}

/** What it was and what it is, instead of two modes that few know by heart. */
function typeFact({ old, new: now }: DiffFile): FileFact {
  const word = `${typeWord(old?.mode)} → ${typeWord(now?.mode).toLowerCase()}`;
  const detail = `It was one kind of thing and is another now: its mode went from ${old?.mode ?? ""} to ${now?.mode ?? ""}.`;
  return { word, detail, tone: "warn", icon: ArrowLeftRight };
}

function typeWord(mode: string | undefined): string {
  if (mode === "120000") return "Symbolic link";
  return mode === "160000" ? "Submodule" : "File";
}

function modeFact(file: DiffFile): FileFact | undefined {
  const icon = SquareTerminal;
  if (file.flags.includes("became_executable")) {
    const detail = `Its mode went from ${file.old?.mode ?? "nothing"} to ${file.new?.mode ?? ""}.`;
    return { word: file.old === null ? "Executable" : "Became executable", detail, tone: "warn", icon };
  }
  if (!file.flags.includes("mode_changed")) return undefined;
  const word = `Mode ${file.old?.mode ?? ""} → ${file.new?.mode ?? ""}`;
  return { word, detail: "Its mode changed.", tone: "neutral", icon };
}

function lfsFact(file: DiffFile): FileFact | undefined {
  const lfs = file.new?.lfs ?? file.old?.lfs;
  if (lfs === undefined || lfs === null) return undefined;
  const detail = "The repository holds only a pointer; the file itself is kept elsewhere.";
  return { word: `LFS pointer, ${formatBytes(lfs.sizeBytes)}`, detail, tone: "neutral", icon: Link2 };
}

function encodingFact(file: DiffFile): FileFact | undefined {
  const encodings = [file.old?.encoding, file.new?.encoding].filter((encoding) => encoding !== undefined);
  const odd = encodings.find((encoding) => encoding !== null && encoding !== "utf-8");
  if (odd === undefined || odd === null) return undefined;
  const names = {
    "iso-8859-1": "Latin-1?",
    "utf-16le": "UTF-16 LE",
    "utf-16be": "UTF-16 BE",
    "utf-8": "UTF-8",
  };
  const detail = "It is not UTF-8. Its encoding is a guess, so letters may look wrong.";
  return { word: names[odd], detail, tone: "warn", icon: CircleAlert };
}

export const statusLetters: Record<DiffFile["status"], { letter: string; word: string; color: string }> = {
  added: { letter: "A", word: "Added", color: "text-good" },
  deleted: { letter: "D", word: "Deleted", color: "text-bad" },
  modified: { letter: "M", word: "Modified", color: "text-warn" },
  renamed: { letter: "R", word: "Renamed", color: "text-accent" },
  type_changed: { letter: "T", word: "Type changed", color: "text-warn" },
};

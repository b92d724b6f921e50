import { spawn } from "node:child_process";

/** Bytes on the disk by the uid that owns them. */
export type DiskUsage = ReadonlyMap<number, number>;

/** An entry costs at least this, so that millions of empty files count too. */
const entryBytesMin = 4096;
const blockBytes = 512;

export interface UsageCounter {
  /** Takes a piece of `find`'s lines: uid, blocks, names, inode. */
  push(text: string): void;
  usage(): DiskUsage;
}

/** Adds up lines that arrive in any pieces. A file with several names counts once. */
export function createUsageCounter(): UsageCounter {
  const usage = new Map<number, number>();
  const seenInodes = new Set<string>();
  let rest = "";

  function addLine(line: string): void {
    const [uid, blocks, names, inode] = line.split(" ");
    if (uid === undefined || inode === undefined) return;
    if (names !== "1") {
      if (seenInodes.has(inode)) return;
      seenInodes.add(inode);
    }
    const bytes = Math.max(entryBytesMin, Number(blocks) * blockBytes);
    usage.set(Number(uid), (usage.get(Number(uid)) ?? 0) + bytes);
  }

  return {
    push: (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) addLine(line);
    },
    usage: () => usage,
  };
}

/**
 * Walks the places, in a process of its own, and says what each uid holds. Follows no link and prints no name. Null when
 * no process could be made.
 */
export async function measureDiskUsage(places: readonly string[]): Promise<DiskUsage | null> {
  const counter = createUsageCounter();
  return new Promise((resolve) => {
    const find = spawn("/usr/bin/find", [...places, "-xdev", "-printf", "%U %b %n %i\\n"], {
      env: {} as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "ignore"],
    });
    find.stdout.on("data", (piece: Buffer) => counter.push(piece.toString("latin1")));
    find.once("error", () => resolve(null));
    // What vanishes meanwhile makes it fail in the end, and is simply not counted.
    find.once("close", () => resolve(counter.usage()));
  });
}

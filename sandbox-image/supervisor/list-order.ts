/** One step of a walk in path order: the entry itself, or what lies below it. */
export interface ListStep {
  /** Path bytes as they are shown, one character a byte, with a slash at the end for what lies below. */
  key: string;
  name: Buffer;
  isBelow: boolean;
}

export interface SeenEntry {
  name: Buffer;
  mayBeDirectory: boolean;
}

/**
 * Keeps the first steps of one directory in path order, whatever order they are seen in, with memory for about twice
 * `stepsMax`. Order is by the bytes of the whole path, so that `a-b` stands between `a` and `a/c`: a directory is two
 * steps, and its own comes before the one below it. Steps that end at or before `after` are left out.
 */
export interface StepKeeper {
  add(entry: SeenEntry): void;
  /** In order; no more than `stepsMax`. */
  steps(): ListStep[];
}

export function createStepKeeper(input: {
  /** The directory's own path with a slash at its end, or empty for the root; in shown bytes. */
  prefix: string;
  after: string;
  canDescend: boolean;
  stepsMax: number;
}): StepKeeper {
  const { prefix, after, canDescend, stepsMax } = input;
  let kept: ListStep[] = [];
  let lastKey: string | null = null;

  function keep(step: ListStep): void {
    if (lastKey !== null && step.key > lastKey) return;
    kept.push(step);
    if (kept.length >= stepsMax * 2) trim();
  }

  function trim(): void {
    kept.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    if (kept.length > stepsMax) {
      kept = kept.slice(0, stepsMax);
      lastKey = kept.at(-1)?.key ?? null;
    }
  }

  return {
    add: ({ name, mayBeDirectory }) => {
      const key = prefix + toShownBytes(name);
      if (key > after) keep({ key, name, isBelow: false });
      const below = `${key}/`;
      if (canDescend && mayBeDirectory && (below > after || after.startsWith(below))) {
        keep({ key: below, name, isBelow: true });
      }
    },
    steps: () => {
      trim();
      return kept;
    },
  };
}

/** The bytes of a name as it is shown: what is not UTF-8 is replaced. One character a byte, so that `<` compares bytes. */
export function toShownBytes(name: Buffer): string {
  return Buffer.from(name.toString("utf8")).toString("latin1");
}

export function toText(shownBytes: string): string {
  return Buffer.from(shownBytes, "latin1").toString("utf8");
}

/** Lets at most so many in at once; the others wait in line. */
export interface Turns {
  /** Waits for a place; the returned function gives it back. */
  take(): Promise<() => void>;
}

export function createTurns(placesMax: number): Turns {
  let free = placesMax;
  const waiting: (() => void)[] = [];
  const giveBack = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    take: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        giveBack();
      };
    },
  };
}

/** One at a time for each key. */
export interface KeyedTurns {
  take(key: string): Promise<() => void>;
}

export function createKeyedTurns(): KeyedTurns {
  const lines = new Map<string, { turns: Turns; users: number }>();
  return {
    take: async (key) => {
      const line = lines.get(key) ?? { turns: createTurns(1), users: 0 };
      line.users += 1;
      lines.set(key, line);
      const giveBack = await line.turns.take();
      return () => {
        giveBack();
        line.users -= 1;
        if (line.users === 0) lines.delete(key);
      };
    },
  };
}

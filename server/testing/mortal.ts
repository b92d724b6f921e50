/** What every call of a process meets that was killed. */
export class ProcessDiedError extends Error {
  override readonly name = "ProcessDiedError";
}

/** The life of a process in a test: killed before one of its steps, it has no effect from then on. */
export interface Life {
  /** Steps taken so far. */
  stepCount(): number;
  isOver(): boolean;
  end(): void;
  /** Counts a step; gives what it fails with when the process is dead. */
  refuses(name: string): ProcessDiedError | null;
}

/** Ends before the step with this number, counted from 1; null: only by `end`. `onlyAt` names the steps that count. */
export function createLife(
  diesAtStep: number | null = null,
  onlyAt: (name: string) => boolean = () => true,
): Life {
  let count = 0;
  let isDead = false;
  return {
    stepCount: () => count,
    isOver: () => isDead,
    end: () => {
      isDead = true;
    },
    refuses: (name) => {
      if (!isDead && onlyAt(name)) {
        count++;
        if (count === diesAtStep) isDead = true;
      }
      return isDead ? new ProcessDiedError(`killed before ${name}`) : null;
    },
  };
}

/** The same port, each of whose calls is a step in the life of the process that makes it. */
export function mortal<Port extends object>(port: Port, life: Life, name: string): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        const refusal = life.refuses(`${name}.${String(key)}`);
        if (refusal !== null) return Promise.reject(refusal);
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
}

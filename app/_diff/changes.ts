/** Tells listeners that something changed: many changes in a row as one. */
export interface Changes {
  tell: () => void;
  subscribe: (listener: () => void) => () => void;
  /** Grows each time that listeners were told. */
  revision: () => number;
  isHeard: () => boolean;
}

/** `soon` calls back a little later. */
export function createChanges(soon: (tell: () => void) => void): Changes {
  const listeners = new Set<() => void>();
  let revision = 0;
  let isTellingSoon = false;
  return {
    tell: () => {
      if (isTellingSoon) return;
      isTellingSoon = true;
      soon(() => {
        isTellingSoon = false;
        revision += 1;
        for (const listener of listeners) listener();
      });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    revision: () => revision,
    isHeard: () => listeners.size > 0,
  };
}

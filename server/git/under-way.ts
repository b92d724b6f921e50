import type { ForkName } from "./types";

/** The requests that are being served on forks now, so that ending a fork's tokens ends them too. */
export interface UnderWay {
  /** Counts a request in; the returned function counts it out. `end` must make it stop and then call that. */
  begin(fork: ForkName, end: () => Promise<void>): () => void;
  /** Ends all requests of a fork and resolves when none is at work. */
  endAll(fork: ForkName): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const requests = new Map<string, Set<() => Promise<void>>>();
  const keyOf = (fork: ForkName): string => `${fork.projectId}/${fork.forkName}`;
  return {
    begin: (fork, end) => {
      const key = keyOf(fork);
      const own = requests.get(key) ?? new Set();
      requests.set(key, own.add(end));
      return () => {
        own.delete(end);
        if (own.size === 0 && requests.get(key) === own) requests.delete(key);
      };
    },
    endAll: async (fork) => {
      await Promise.all([...(requests.get(keyOf(fork)) ?? [])].map((end) => end()));
    },
  };
}

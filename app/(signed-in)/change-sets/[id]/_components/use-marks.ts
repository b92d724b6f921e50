"use client";

import { useCallback, useState } from "react";
import { weigh } from "@/app/_diff/file-weight";
import type { DiffFile } from "@/app/_diff/places";

/** Which files are folded: large, generated and viewed ones begin so, and a person has the last word. */
export function useFolds(
  fileByPath: ReadonlyMap<string, DiffFile>,
  isViewed: (path: string) => boolean,
): { isFolded: (path: string) => boolean; setFolded: (path: string, isFolded: boolean) => void } {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isFolded = useCallback(
    (path: string) => {
      const choice = chosen.get(path);
      if (choice !== undefined) return choice;
      const file = fileByPath.get(path);
      return file !== undefined && (weigh(file).fold !== null || isViewed(path));
    },
    [chosen, fileByPath, isViewed],
  );
  const setFolded = useCallback(
    (path: string, value: boolean) => setChosen((before) => new Map(before).set(path, value)),
    [],
  );
  return { isFolded, setFolded };
}

/** A set of paths that only grows. */
export function useGrowingSet(): { has: (path: string) => boolean; add: (path: string) => void } {
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set());
  const has = useCallback((path: string) => paths.has(path), [paths]);
  const add = useCallback((path: string) => setPaths((before) => new Set(before).add(path)), []);
  return { has, add };
}

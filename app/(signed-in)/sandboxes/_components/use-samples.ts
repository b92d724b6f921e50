"use client";

import { useState } from "react";
import type { SandboxList } from "../_rules/sandbox-list";

/** What a Sandbox used at one look. */
export interface Sample {
  asOf: string;
  cpuPercent: number;
  memoryBytes: number;
  processes: number;
}

const samplesMax = 60;

/** What each live Sandbox used since the page was opened, oldest first. */
export function useSamples(list: SandboxList | undefined): ReadonlyMap<string, readonly Sample[]> {
  const [samples, setSamples] = useState<ReadonlyMap<string, readonly Sample[]>>(new Map());
  const [seen, setSeen] = useState(list);
  if (list !== undefined && list !== seen) {
    setSeen(list);
    setSamples(withSamples(samples, list));
  }
  return samples;
}

/** Adds one look; a look that was taken already adds nothing, and what is gone is forgotten. */
export function withSamples(
  samples: ReadonlyMap<string, readonly Sample[]>,
  list: Pick<SandboxList, "items">,
): Map<string, readonly Sample[]> {
  return new Map(
    list.items.flatMap(({ id, asOf, usage }) => {
      const before = samples.get(id) ?? [];
      if (usage === null) return before.length === 0 ? [] : [[id, before]];
      if (before.at(-1)?.asOf === asOf) return [[id, before]];
      const { cpuPercent, memoryBytes, processes } = usage;
      return [[id, [...before, { asOf, cpuPercent, memoryBytes, processes }].slice(-samplesMax)]];
    }),
  );
}

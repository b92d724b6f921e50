"use client";

import { WorkerPoolContextProvider, useWorkerPool } from "@pierre/diffs/react";
import { useEffect, type ReactNode } from "react";
import { codeTheme, registerCodeTheme } from "./code-theme";

registerCodeTheme();

const tokenizeMaxLineLength = 1_000;
const maxLineDiffLength = 1_000;

const poolOptions = {
  workerFactory: () =>
    new Worker(new URL("@pierre/diffs/worker/worker.js", import.meta.url), { type: "module" }),
  poolSize: 2,
  totalASTLRUCacheSize: 60,
};

const highlighterOptions = {
  theme: codeTheme,
  lineDiffType: "word-alt",
  tokenizeMaxLineLength,
  maxLineDiffLength,
} as const;

/** Lines are coloured beside the page, never on it: one large file would hold it for many seconds. */
export function DiffWorkers({ marksWords, children }: { marksWords: boolean; children: ReactNode }) {
  return (
    <WorkerPoolContextProvider poolOptions={poolOptions} highlighterOptions={highlighterOptions}>
      <WordMarks marksWords={marksWords} />
      {children}
    </WorkerPoolContextProvider>
  );
}

function WordMarks({ marksWords }: { marksWords: boolean }) {
  const pool = useWorkerPool();
  useEffect(() => {
    void pool?.setRenderOptions({
      theme: codeTheme,
      lineDiffType: marksWords ? "word-alt" : "none",
      tokenizeMaxLineLength,
      maxLineDiffLength,
    });
  }, [pool, marksWords]);
  return null;
}

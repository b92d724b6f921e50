"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useApiClient } from "@/app/_client/api-provider";
import { weigh } from "./file-weight";
import { hasLines } from "./has-lines";
import { parseBody, parseSides } from "./parsed-body";
import { createPatchStore, wholeFile, type PatchRequest } from "./patch-store";
import type { DiffFile } from "./places";
import type { Preferences } from "./preferences";

interface Source {
  changeSetId: string;
  against: string;
  whitespace: Preferences["whitespace"];
  context: Preferences["context"];
}

interface Comparison {
  id: string;
  against: string;
  whitespace: Preferences["whitespace"];
}

const nothingYet: { comparison: Comparison; files: readonly DiffFile[] } = {
  comparison: { id: "", against: "base", whitespace: "none" },
  files: [],
};
/** So many changed lines are loaded ahead, so that scrolling meets lines and a search finds them. */
const aheadLinesMax = 120_000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const soon = (tell: () => void): void => void setTimeout(tell, 50);

/** The files of one comparison at once, and a store that loads their lines as they are wanted. */
export function useDiffSource({ changeSetId, against, whitespace, context }: Source) {
  const client = useApiClient();
  const asked: Comparison = { id: changeSetId, against, whitespace };
  // Commits do not change, so what differs between two of them is asked for once. Its key is none of the API's, since events
  // of the server make those be asked for again. What is there stays until the next comparison is here.
  const query = useQuery({
    queryKey: ["comparison", asked],
    queryFn: async () => ({ comparison: asked, files: (await client.changeSet.files.query(asked)).files }),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
  const { comparison, files } = query.data ?? nothingYet;

  const fetchPatch = useCallback(
    async (path: string, lines: number, spaces: Preferences["whitespace"]) => {
      const input = { ...comparison, whitespace: spaces, path, context: lines };
      return { ...(await client.changeSet.patch.query(input)), path };
    },
    [client, comparison],
  );
  const store = useMemo(
    () =>
      createPatchStore({
        files,
        context: context === "whole" ? wholeFile : context,
        fetchPatches: async ({ paths, context: lines }: PatchRequest) => {
          const { items } = await client.changeSet.patches.query({ ...comparison, paths, context: lines });
          // One answer holds so much and no more; what did not fit is asked for alone.
          return Promise.all(
            items.map(async (item) =>
              item.truncated && item.patch === ""
                ? fetchPatch(item.path, lines, comparison.whitespace)
                : item,
            ),
          );
        },
        parse: (file, raw, how) =>
          parseBody(file, raw, {
            cacheKey: cacheKeyOf(file, comparison, how),
            ...how,
          }),
        pause,
        soon,
      }),
    [client, files, context, fetchPatch, comparison],
  );
  const revision = useSyncExternalStore(store.subscribe, store.revision, store.revision);
  /** To be called when the diff is drawn: until then its own code comes first. */
  const loadAhead = useCallback(() => store.wantLater(pathsAhead(files)), [store, files]);

  const loadSides = useCallback(
    async (file: DiffFile) =>
      parseSides(file, await fetchPatch(file.path, wholeFile, "none"), {
        cacheKey: cacheKeyOf(
          file,
          { ...comparison, whitespace: "none" },
          { context: wholeFile, showsLongLines: false },
        ),
        showsLongLines: false,
        context: wholeFile,
      }),
    [fetchPatch, comparison],
  );
  return { query, files, store, revision, loadSides, loadAhead };
}

function cacheKeyOf(
  file: DiffFile,
  comparison: { whitespace: string },
  how: { context: number; showsLongLines: boolean },
): string {
  const sides = `${file.old?.objectId ?? ""}..${file.new?.objectId ?? ""}`;
  return `${sides} ${comparison.whitespace} ${how.context} ${how.showsLongLines ? "long" : "cut"} ${file.path}`;
}

/** What is loaded without being asked for: what begins open, in its order, until that is a lot. */
function pathsAhead(files: readonly DiffFile[]): string[] {
  const paths: string[] = [];
  let lines = 0;
  for (const file of files) {
    const weight = weigh(file);
    if (!hasLines(file) || weight.fold !== null || weight.body !== "at_once") continue;
    lines += weight.changedLines;
    if (lines > aheadLinesMax) break;
    paths.push(file.path);
  }
  return paths;
}

"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { useToast } from "@/app/_ui/toast";

const nothing: readonly string[] = [];

/** The caller's own marks of what was read. They are kept on the server, so that they follow to another device. */
export function useViewed(changeSetId: string): {
  isViewed: (path: string) => boolean;
  setViewed: (path: string, isViewed: boolean) => void;
} {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const options = api.viewed.list.queryOptions({ changeSetId });
  const query = useQuery(options);
  const { queryKey } = options;
  const { mutate } = useMutation(
    api.viewed.set.mutationOptions({
      onError: (error) => {
        toast({ title: `The mark was not kept. ${describeApiError(error).message}`, tone: "bad" });
        void queryClient.invalidateQueries({ queryKey });
      },
    }),
  );
  const paths = useMemo(() => new Set(query.data?.paths ?? nothing), [query.data]);
  const isViewed = useCallback((path: string) => paths.has(path), [paths]);
  const setViewed = useCallback(
    (path: string, isNowViewed: boolean) => {
      // Shown at once: whoever reads a hundred files does not wait for each mark.
      queryClient.setQueryData(queryKey, (before) => {
        const others = (before?.paths ?? []).filter((other) => other !== path);
        return { paths: isNowViewed ? [...others, path] : others };
      });
      mutate({ changeSetId, path, isViewed: isNowViewed });
    },
    // The key is made anew with each render, but says the same for the same ChangeSet.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [queryClient, mutate, changeSetId],
  );
  return { isViewed, setViewed };
}

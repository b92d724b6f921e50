"use client";

import { useEffect, useRef, useState } from "react";
import { useApiClient } from "@/app/_client/api-provider";
import { addEvents, emptyLog, type Decoders, type RunEvent, type RunLog } from "./run-log";

/** The page changes at most ten times a second, however fast a program writes. */
const gatherMs = 100;
const retryMs = 2_000;

export type LogLink = "reading" | "live" | "lost" | "complete";

/** A Run's log from its first event on, live. After a lost connection it goes on after the last event that it has. */
export function useRunLog(runId: string): { log: RunLog; link: LogLink } {
  const client = useApiClient();
  const [log, setLog] = useState(emptyLog);
  const shown = useRef(emptyLog);
  const [link, setLink] = useState<LogLink>("reading");
  const lastSeq = useRef(0);
  const decoders = useRef<Decoders>(new Map());
  useEffect(() => {
    let gathered: RunEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream: { unsubscribe: () => void } | undefined;
    let hasEnded = false;
    const show = () => {
      timer = undefined;
      const events = gathered;
      gathered = [];
      // Not in an updater, which may be called twice: what commands wrote grows in place.
      shown.current = addEvents(shown.current, events, decoders.current);
      setLog(shown.current);
    };
    const subscribe = () => {
      const after = lastSeq.current === 0 ? {} : { lastEventId: String(lastSeq.current) };
      stream = client.run.stream.subscribe(
        { runId, ...after },
        {
          onStarted: () => setLink("live"),
          onData: ({ data }) => {
            lastSeq.current = Math.max(lastSeq.current, data.seq);
            gathered.push(data);
            timer ??= setTimeout(show, gatherMs);
            if (data.kind !== "ended") return;
            hasEnded = true;
            setLink("complete");
          },
          onComplete: () => setLink("complete"),
          onError: () => {
            if (hasEnded) return;
            setLink("lost");
            retry = setTimeout(subscribe, retryMs);
          },
        },
      );
    };
    let retry: ReturnType<typeof setTimeout> | undefined;
    subscribe();
    return () => {
      clearTimeout(timer);
      clearTimeout(retry);
      stream?.unsubscribe();
    };
  }, [client, runId]);
  return { log, link };
}

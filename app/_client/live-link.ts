import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "@/server/api/root";
import { describeApiError } from "./errors";

/** Events that come together are told together. */
const gatherMs = 300;
/** The server ends every stream now and then; what is taken up again within this time was never lost. */
const lostAfterMs = 3_000;
/** The first connection comes while the whole page is being loaded. */
const firstLostAfterMs = 10_000;
const retryFirstMs = 1_000;
const retryMaxMs = 30_000;

export interface LiveState {
  status: "live" | "connecting" | "lost";
  /** Until when what is shown is known to be right; null while it is, or before it ever was. */
  since: Date | null;
}

interface LiveLinkOptions {
  client: TRPCClient<AppRouter>;
  /** The types of the events of a moment; null when it is not known what was missed. */
  onEvents: (types: ReadonlySet<string> | null) => void;
  onState: (state: LiveState) => void;
}

/**
 * Keeps one stream of events open while the page is visible, and gives the function that ends it. After a pause or a
 * loss it goes on after the last event that it saw, so that none is missed.
 */
export function startLiveLink({ client, onEvents, onState }: LiveLinkOptions): () => void {
  let stream: { unsubscribe: () => void } | null = null;
  let lastEventId: string | null = null;
  let wasStarted = false;
  let failures = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let lostTimer: ReturnType<typeof setTimeout> | undefined;
  const events = gatherEvents(onEvents);

  function connected() {
    failures = 0;
    clearTimeout(lostTimer);
    lostTimer = undefined;
    onState({ status: "live", since: null });
    if (wasStarted && lastEventId === null) events.add(null);
    wasStarted = true;
  }

  function disconnected() {
    const lostAt = new Date();
    lostTimer ??= setTimeout(
      () => onState({ status: "lost", since: lostAt }),
      wasStarted ? lostAfterMs : firstLostAfterMs,
    );
  }

  function open() {
    disconnected();
    stream = client.event.stream.subscribe(lastEventId === null ? {} : { lastEventId }, {
      onStarted: connected,
      onConnectionStateChange: (change) => {
        if (change.state === "connecting" && change.error !== null) disconnected();
      },
      onData: (event) => {
        lastEventId = event.id;
        events.add(event.data.type);
      },
      onError: (error) => {
        disconnected();
        // The event to go on after is not kept any longer.
        if (describeApiError(error).domainCode === "event.not_found") lastEventId = null;
        retryTimer = setTimeout(reopen, Math.min(retryMaxMs, retryFirstMs * 2 ** failures));
        failures += 1;
      },
    });
  }

  function pause() {
    clearTimeout(retryTimer);
    clearTimeout(lostTimer);
    lostTimer = undefined;
    stream?.unsubscribe();
    stream = null;
  }

  function reopen() {
    pause();
    if (document.visibilityState === "visible") open();
  }

  document.addEventListener("visibilitychange", reopen);
  reopen();
  return () => {
    document.removeEventListener("visibilitychange", reopen);
    pause();
    events.stop();
  };
}

function gatherEvents(onEvents: LiveLinkOptions["onEvents"]) {
  let types: Set<string> | null = new Set();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add: (type: string | null) => {
      if (type === null) types = null;
      else types?.add(type);
      timer ??= setTimeout(() => {
        const gathered = types;
        types = new Set();
        timer = undefined;
        onEvents(gathered);
      }, gatherMs);
    },
    stop: () => clearTimeout(timer),
  };
}

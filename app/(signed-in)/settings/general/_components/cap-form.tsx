"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { formatSeconds } from "@/app/_ui/amount-words";
import { Button } from "@/app/_ui/button";
import { Field, TextInput } from "@/app/_ui/field";
import { MeterBar } from "@/app/_ui/meter-bar";
import { useToast } from "@/app/_ui/toast";
import type { AppRouter } from "@/server/api/root";
import { describeCap } from "../_rules/describe-cap";

type Usage = inferRouterOutputs<AppRouter>["usage"]["current"];

const sources = {
  setting: "set here by an admin",
  environment: "from SANDBOX_MONTHLY_SECONDS",
  default: "the default",
};

/** The cap and a field to change it. What somebody typed stays when another admin changes the cap meanwhile. */
export function CapForm({ usage }: { usage: Usage }) {
  const { capSeconds } = usage;
  const [seen, setSeen] = useState(capSeconds);
  const [text, setText] = useState(String(capSeconds));
  if (seen !== capSeconds && [seen, capSeconds].map(String).includes(text)) {
    setSeen(capSeconds);
    setText(String(capSeconds));
  }
  const isStale = seen !== capSeconds && text !== String(capSeconds);
  const save = useSaveCap();
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : null;
  const isChanged = seconds !== null && seconds !== capSeconds;
  const error = save.isError && !isStale ? describeApiError(save.error).message : null;
  return (
    <form
      className="flex flex-col gap-3 px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !isStale) save.mutate({ seconds, expectedSeconds: seen });
      }}
    >
      <p>
        {formatSeconds(capSeconds)} <span className="text-muted">a month, {sources[usage.capSource]}</span>
      </p>
      <MeterBar used={usage.usedSeconds} reserved={usage.reservedSeconds} cap={capSeconds} />
      <div className="max-w-xs">
        <Field
          label="Seconds a month"
          hint={seconds === null ? "Whole seconds." : formatSeconds(seconds)}
          error={error}
        >
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </div>
      {isStale ? (
        <StaleNote
          seen={seen}
          now={capSeconds}
          typed={text}
          onTake={() => setText(String(capSeconds))}
          onKeep={() => setSeen(capSeconds)}
        />
      ) : (
        <Effect seconds={isChanged ? seconds : null} usage={usage} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isChanged || isStale} busy={save.isPending}>
          Save
        </Button>
        {usage.capSource === "setting" ? (
          <Button
            busy={save.isPending}
            onClick={() => save.mutate({ seconds: null, expectedSeconds: capSeconds })}
          >
            Give it back to the environment
          </Button>
        ) : null}
      </div>
    </form>
  );
}

function useSaveCap() {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refresh = () =>
    Promise.all(
      [api.usage, api.setting, api.audit].map((router) => queryClient.invalidateQueries(router.pathFilter())),
    );
  return useMutation({
    ...api.usage.setCap.mutationOptions(),
    onSuccess: async ({ capSeconds }) => {
      toast({ title: `The cap is ${formatSeconds(capSeconds)} a month.`, tone: "good" });
      await refresh();
    },
    // Somebody may have changed it: what it is now is shown beside what was typed.
    onError: refresh,
  });
}

interface StaleNoteProps {
  seen: number;
  now: number;
  typed: string;
  onTake: () => void;
  onKeep: () => void;
}

function StaleNote({ seen, now, typed, onTake, onKeep }: StaleNoteProps) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md bg-warn-soft px-2.5 py-2 text-warn">
      <p>
        Somebody changed the cap from {seen} s to {now} s meanwhile. You typed {typed}.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={onTake}>
          Take {now} s
        </Button>
        <Button size="sm" onClick={onKeep}>
          Go on with what I typed
        </Button>
      </div>
    </div>
  );
}

/** What saving will do now; empty, and as high, while nothing is changed. */
function Effect({ seconds, usage }: { seconds: number | null; usage: Usage }) {
  const api = useApi();
  const settings = useQuery(api.setting.list.queryOptions({}));
  const reserve = settings.data?.items.find(({ name }) => name === "WORKSPACE_RESERVE_SECONDS")?.value;
  const openSeconds = Number(reserve ?? 0);
  return (
    <p className="min-h-5 text-muted" aria-live="polite">
      {seconds === null ? "" : describeCap(seconds, { ...usage, openSeconds })}
    </p>
  );
}

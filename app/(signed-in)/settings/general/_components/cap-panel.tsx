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
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SkeletonRows } from "@/app/_ui/skeleton";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { AppRouter } from "@/server/api/root";
import { describeCap } from "../_rules/describe-cap";

type Usage = inferRouterOutputs<AppRouter>["usage"]["current"];

/** The monthly cap: what it is, what a new one would do now, and who changed it when. */
export function CapPanel() {
  const api = useApi();
  const query = useQuery(api.usage.current.queryOptions({}));
  return (
    <Panel title="Monthly cap">
      <QueryState query={query} skeleton={<SkeletonRows rows={4} />} awaited="the meter">
        {(usage) => <CapForm key={usage.capSeconds} usage={usage} />}
      </QueryState>
      <CapHistory />
    </Panel>
  );
}

const sources = {
  setting: "set here by an admin",
  environment: "from SANDBOX_MONTHLY_SECONDS",
  default: "the default",
};

function CapForm({ usage }: { usage: Usage }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [text, setText] = useState(String(usage.capSeconds));
  const save = useMutation({
    ...api.usage.setCap.mutationOptions(),
    onSuccess: async (now) => {
      toast({ title: `The cap is ${formatSeconds(now.capSeconds)} a month.`, tone: "good" });
      await queryClient.invalidateQueries();
    },
  });
  const seconds = /^\d+$/.test(text) ? Number(text) : null;
  const isChanged = seconds !== null && seconds !== usage.capSeconds;
  return (
    <form
      className="flex flex-col gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (seconds !== null) save.mutate({ seconds, expectedSeconds: usage.capSeconds });
      }}
    >
      <p>
        {formatSeconds(usage.capSeconds)}{" "}
        <span className="text-muted">a month, {sources[usage.capSource]}</span>
      </p>
      <MeterBar used={usage.usedSeconds} reserved={usage.reservedSeconds} cap={usage.capSeconds} />
      <div className="max-w-xs">
        <Field
          label="Seconds a month"
          hint={seconds === null ? "Whole seconds." : formatSeconds(seconds)}
          error={save.isError ? describeApiError(save.error).message : null}
        >
          <TextInput inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </div>
      {isChanged ? <p className="text-muted">{describeCap(seconds, usage)}</p> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isChanged} busy={save.isPending}>
          Save
        </Button>
        {usage.capSource === "setting" ? (
          <Button
            busy={save.isPending}
            onClick={() => save.mutate({ seconds: null, expectedSeconds: usage.capSeconds })}
          >
            Give it back to the environment
          </Button>
        ) : null}
      </div>
    </form>
  );
}

function CapHistory() {
  const api = useApi();
  const query = useQuery(api.audit.list.queryOptions({ subject: "sandbox_monthly_seconds", limit: 20 }));
  const items = query.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <ul className="divide-y divide-line border-t border-line text-xs">
      {items.map(({ id, at, actor, data }) => (
        <li key={id} className="flex flex-wrap gap-x-2 px-4 py-2 text-muted">
          <span className="text-ink">
            <UntrustedText text={actor?.name ?? "the server"} />
          </span>
          changed it from {valueWords(data["before"])} to {valueWords(data["after"])} <RelativeTime at={at} />
        </li>
      ))}
    </ul>
  );
}

function valueWords(value: unknown): string {
  return typeof value === "number" ? `${value} s` : "the environment's";
}

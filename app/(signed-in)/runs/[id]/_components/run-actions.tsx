"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Square } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { useSession } from "@/app/_client/session";
import { Button, LinkButton } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { Field, TextInput } from "@/app/_ui/field";
import type { RunDetail } from "../_rules/run-detail";

/** What can be done with a Run: look at its result, or stop it. */
export function RunActions({ run, changeSetId }: { run: RunDetail; changeSetId: string | null }) {
  const { can } = useSession();
  const [isStopping, setStopping] = useState(false);
  return (
    <>
      {changeSetId === null ? null : (
        <LinkButton variant="primary" href={`/change-sets/${changeSetId}`}>
          Review the ChangeSet
        </LinkButton>
      )}
      {run.endedAt === null && can("reviewer") ? (
        <Button variant="danger" onClick={() => setStopping(true)}>
          <Square aria-hidden="true" /> Stop
        </Button>
      ) : null}
      {isStopping ? <StopDialog runId={run.id} onClose={() => setStopping(false)} /> : null}
    </>
  );
}

function StopDialog({ runId, onClose }: { runId: string; onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const stop = useMutation({
    ...api.run.stop.mutationOptions(),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Stop this Run?"
      description="Its command is interrupted and its workspace removed. The log stays, and so do the files that its tools wrote, in the log's record; nothing is proposed."
      footer={
        <>
          <Button onClick={onClose}>Keep it running</Button>
          <Button variant="danger" type="submit" form="stop-run" busy={stop.isPending}>
            Stop the Run
          </Button>
        </>
      }
    >
      <form
        id="stop-run"
        onSubmit={(event) => {
          event.preventDefault();
          stop.mutate({ runId, reason });
        }}
      >
        <Field
          label="Reason"
          hint="The agent and the log are told."
          error={stop.isError ? describeApiError(stop.error).message : null}
        >
          <TextInput
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useApi, useApiClient } from "@/app/_client/api-provider";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { useToast } from "@/app/_ui/toast";
import { UntrustedText } from "@/app/_ui/untrusted-text";

/** Asks before a host is let through, for it holds for every Sandbox. */
export function AllowDialog({ host, onClose }: { host: string; onClose: () => void }) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const toast = useToast();
  const isWide = host.startsWith("*.");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Let sandboxes reach this host?"
      description={
        <>
          <p className="font-mono text-ink wrap-anywhere">
            <UntrustedText text={host} />
          </p>
          <p className="mt-2">
            Every Run in every Sandbox of every Project can then send data to it and get data from it, by
            https:// and http://, from this moment on.
          </p>
          {isWide ? (
            <p className="mt-2 text-warn">
              It stands for every name below, also those that somebody else registers there later.
            </p>
          ) : null}
        </>
      }
      confirmLabel="Allow for all sandboxes"
      onConfirm={async () => {
        const { isInForce } = await client.egress.allow.mutate({ host });
        toast(
          isInForce
            ? { title: `Sandboxes can reach ${host} now.`, tone: "good" }
            : {
                title: `${host} is kept; egress does not answer and is told as soon as it does.`,
              },
        );
        await queryClient.invalidateQueries(api.egress.pathFilter());
      }}
    />
  );
}

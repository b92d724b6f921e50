"use client";

import { useMutation } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useApi } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Button } from "@/app/_ui/button";
import { useToast } from "@/app/_ui/toast";

/** Lets an agent without a model mend a sample, and leads to where that can be watched. */
export function SampleButton() {
  const api = useApi();
  const router = useRouter();
  const toast = useToast();
  const start = useMutation(
    api.demo.start.mutationOptions({
      onSuccess: ({ changeId }) => router.push(`/changes/${changeId}`),
      onError: (error) =>
        toast({ title: `The sample was not started. ${describeApiError(error).message}`, tone: "bad" }),
    }),
  );
  return (
    <Button busy={start.isPending || start.isSuccess} onClick={() => start.mutate({})}>
      <Play aria-hidden="true" />
      Run the sample
    </Button>
  );
}

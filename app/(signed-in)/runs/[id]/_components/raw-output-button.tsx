"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { useApiClient } from "@/app/_client/api-provider";
import { describeApiError } from "@/app/_client/errors";
import { Button } from "@/app/_ui/button";
import { useToast } from "@/app/_ui/toast";
import type { CommandEntry } from "../_log/run-log";

const pieceBytes = 1024 * 1024;

/** Downloads each stream as it was written, byte for byte. */
export function RawOutputButton({ runId, entry }: { runId: string; entry: CommandEntry }) {
  const client = useApiClient();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const { commandId } = entry;
  const download = async () => {
    setBusy(true);
    try {
      for (const stream of ["stdout", "stderr"] as const) {
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        for (let offset = 0; ;) {
          const place = { runId, commandId, stream, offset, limit: pieceBytes };
          const piece = await client.run.output.query(place);
          const bytes = Uint8Array.from(atob(piece.base64), (character) => character.charCodeAt(0));
          if (bytes.length === 0) break;
          pieces.push(bytes);
          offset += bytes.length;
        }
        if (pieces.length > 0) save(new Blob(pieces), `${commandId}.${stream}.log`);
      }
    } catch (error) {
      toast({ title: `The output could not be read. ${describeApiError(error).message}`, tone: "bad" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" variant="ghost" busy={isBusy} onClick={() => void download()}>
      <Download aria-hidden="true" /> Raw
    </Button>
  );
}

function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

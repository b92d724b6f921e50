"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Bytes } from "@/app/_ui/amounts";
import { cn } from "@/app/_ui/class-names";
import { Skeleton } from "@/app/_ui/skeleton";
import type { DiffFile, Side } from "@/app/_diff/places";
import { useDesk } from "./desk";
import { imageTypeOf } from "./image-kind";

const shown = /\.(?:png|jpe?g|gif|webp)$/i;
const imageBytesMax = 5 * 1024 * 1024;

/** Whether the two sides are worth a look as pictures. What they really are is told by their bytes. */
export function isShownAsImage(file: DiffFile): boolean {
  const sizeBytes = Math.max(file.old?.sizeBytes ?? 0, file.new?.sizeBytes ?? 0);
  return file.kind === "binary" && shown.test(file.path) && sizeBytes <= imageBytesMax;
}

/** Both sides of an image beside each other. */
export function ImagePair({ file }: { file: DiffFile }) {
  const isPair = file.old !== null && file.new !== null;
  return (
    <div className={cn("grid gap-3 p-3", isPair && "sm:grid-cols-2")}>
      {file.old === null ? null : <Picture file={file} side="old" sizeBytes={file.old.sizeBytes} />}
      {file.new === null ? null : <Picture file={file} side="new" sizeBytes={file.new.sizeBytes} />}
    </div>
  );
}

interface PictureProps {
  file: DiffFile;
  side: Side;
  sizeBytes: number | null;
}

function Picture({ file, side, sizeBytes }: PictureProps) {
  const api = useApi();
  const { changeSet, against } = useDesk();
  const [pixels, setPixels] = useState<string | null>(null);
  const input = { id: changeSet.id, path: file.path, side, against };
  const query = useQuery({ ...api.changeSet.content.queryOptions(input), staleTime: Infinity });
  const type = query.data === undefined || query.data.truncated ? null : imageTypeOf(query.data.base64);
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-32 items-center justify-center rounded-md border border-line bg-sunken p-2 [background-image:conic-gradient(var(--color-line)_25%,transparent_0_50%,var(--color-line)_0_75%,transparent_0)] [background-size:16px_16px]">
        {query.isPending ? (
          <Skeleton className="h-24 w-32" />
        ) : query.data === undefined || type === null ? (
          <p className="rounded bg-surface px-2 py-1 text-xs text-muted">
            {query.isError ? "This side cannot be read now." : "This is not an image that can be shown."}
          </p>
        ) : (
          // The bytes are in the page already; there is nothing for an image service to do.
          // eslint-disable-next-line @next/next/no-img-element
          <img
            src={`data:${type};base64,${query.data.base64}`}
            alt={`${side === "old" ? "Before" : "After"}: ${file.displayPath}`}
            onLoad={(event) =>
              setPixels(`${event.currentTarget.naturalWidth} × ${event.currentTarget.naturalHeight}`)
            }
            className="max-h-80 max-w-full"
          />
        )}
      </div>
      <figcaption className="flex gap-2 text-xs text-muted">
        <span className={side === "old" ? "text-bad" : "text-good"}>
          {side === "old" ? "Before" : "After"}
        </span>
        {sizeBytes === null ? null : <Bytes value={sizeBytes} />}
        {pixels}
      </figcaption>
    </figure>
  );
}

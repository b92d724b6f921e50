import type { Side } from "@/app/_diff/places";

/** Where the bytes of one side of a file are downloaded. */
export function rawHref(changeSetId: string, path: string, side: Side): string {
  return `/api/raw/${changeSetId}?${new URLSearchParams({ path, side }).toString()}`;
}

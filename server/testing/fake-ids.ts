import type { Ids } from "../platform/ids";

/** Counts up, so that a test can tell which id was made when: `00000000-0000-4000-8000-000000000001`, and so on. */
export function createFakeIds(): Ids {
  let made = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`,
    secret: (byteCount) => String(++made).padStart(Math.ceil((byteCount * 4) / 3), "s"),
  };
}

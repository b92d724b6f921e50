/** Where the first bytes of a stream are kept. Throws when there is no room. */
export interface KeptStore {
  write(offset: number, bytes: Uint8Array): void;
  /** Fills `target` from `offset`; the number of bytes, 0 at the end. */
  read(offset: number, target: Uint8Array): number;
  close(): void;
}

/**
 * One stream of one command: the first `keptBytesMax` bytes in the store, the last `tailBytesMax` of those beyond in
 * memory, and an exact count of all. Needs the same memory however much is written, and never fails: when the store
 * is full, the kept part simply ends there.
 */
export interface KeptOutput {
  append(bytes: Uint8Array): void;
  read(offset: number, target: Uint8Array): number;
  readonly totalBytes: number;
  readonly keptBytes: number;
  tail(): Uint8Array;
  close(): void;
}

export function createKeptOutput(store: KeptStore, keptBytesMax: number, tailBytesMax: number): KeptOutput {
  let totalBytes = 0;
  let keptBytes = 0;
  let isStoreFull = false;
  let ring: Uint8Array | null = null;
  let beyondBytes = 0;

  function keepTail(bytes: Uint8Array): void {
    ring ??= new Uint8Array(tailBytesMax);
    const last = bytes.subarray(Math.max(0, bytes.length - tailBytesMax));
    const start = (beyondBytes + bytes.length - last.length) % tailBytesMax;
    const untilEnd = Math.min(last.length, tailBytesMax - start);
    ring.set(last.subarray(0, untilEnd), start);
    ring.set(last.subarray(untilEnd), 0);
    beyondBytes += bytes.length;
  }

  return {
    append: (bytes) => {
      totalBytes += bytes.length;
      const toKeep = isStoreFull ? 0 : Math.min(bytes.length, keptBytesMax - keptBytes);
      if (toKeep > 0) {
        try {
          store.write(keptBytes, bytes.subarray(0, toKeep));
          keptBytes += toKeep;
        } catch {
          // The disk is full: what follows is counted, and its end kept in memory.
          isStoreFull = true;
          keepTail(bytes);
          return;
        }
      }
      if (toKeep < bytes.length) keepTail(bytes.subarray(toKeep));
    },
    read: (offset, target) => {
      const byteCount = Math.min(target.length, keptBytes - offset);
      return byteCount <= 0 ? 0 : store.read(offset, target.subarray(0, byteCount));
    },
    get totalBytes() {
      return totalBytes;
    },
    get keptBytes() {
      return keptBytes;
    },
    tail: () => {
      if (ring === null) return new Uint8Array(0);
      if (beyondBytes <= tailBytesMax) return ring.slice(0, beyondBytes);
      const start = beyondBytes % tailBytesMax;
      const tail = new Uint8Array(tailBytesMax);
      tail.set(ring.subarray(start), 0);
      tail.set(ring.subarray(0, start), tailBytesMax - start);
      return tail;
    },
    close: () => store.close(),
  };
}

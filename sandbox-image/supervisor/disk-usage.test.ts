import { expect, test } from "vitest";
import { createUsageCounter } from "./disk-usage";

test("bytes add up by owner, an empty file costs a block, a file with two names counts once, in any pieces", () => {
  const text = "10001 16 1 5\n10001 0 1 6\n10002 80 2 7\n10002 80 2 7\n0 8 3 8\n10001 8 2";
  for (let size = 1; size <= text.length; size += 1) {
    const counter = createUsageCounter();
    for (let at = 0; at < text.length; at += size) counter.push(text.slice(at, at + size));
    expect(Object.fromEntries(counter.usage())).toEqual({ 10001: 16 * 512 + 4096, 10002: 80 * 512, 0: 4096 });
  }
});

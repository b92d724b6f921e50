import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress } from "./progress";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("without a terminal a long step says a line every ten seconds, and at its end how long it took", async () => {
  const written: string[] = [];
  const progress = createProgress({ write: (text) => written.push(text) }, () => Date.now());
  const done = progress.step("Building", async (step) => {
    step.update("half\tway ");
    await new Promise((resolve) => setTimeout(resolve, 25_000));
    step.name("Built");
  });
  await vi.advanceTimersByTimeAsync(25_000);
  await done;
  expect(written).toEqual([
    "  … Building (10 s): half way\n",
    "  … Building (20 s): half way\n",
    "✓ Built (25 s)\n",
  ]);
});

test("a step that fails ends in a cross and hands the error on", async () => {
  const written: string[] = [];
  const progress = createProgress({ write: (text) => written.push(text) });
  await expect(progress.step("Building", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(written).toEqual(["✗ Building\n"]);
});

test("on a terminal the line of a step is written over, and no colour is asked for", async () => {
  const written: string[] = [];
  const progress = createProgress({ write: (text) => written.push(text), isTTY: true, columns: 30 }, () =>
    Date.now(),
  );
  const done = progress.step("Building", () => new Promise((resolve) => setTimeout(resolve, 500)));
  await vi.advanceTimersByTimeAsync(500);
  await done;
  expect(written.at(-1)).toBe("\r\x1b[K✓ Building\n");
  expect(written.slice(0, -1).every((text) => text.startsWith("\r\x1b[K") && !text.includes("\n"))).toBe(
    true,
  );
});

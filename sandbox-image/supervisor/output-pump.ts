import { closeSync } from "node:fs";
import type { KeptOutput } from "./kept-output";

export interface OutputPump {
  /** Resolves at the end of the stream, or soon after `stop`. Never rejects. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Reads a pipe to its end as fast as it is written, so that nobody who looks on can hold the command up. Closes `fd`. */
export function pumpOutput(fd: number, output: KeptOutput, notify: () => void): OutputPump {
  const reader = Bun.file(fd).stream().getReader();
  async function run(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        output.append(value);
        notify();
      }
    } catch {
      // Stopped: what was read so far is what there is.
    } finally {
      closeSync(fd);
    }
  }
  return { ended: run(), stop: () => void reader.cancel().catch(() => undefined) };
}

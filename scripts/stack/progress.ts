/** Tells an operator what is being done, one line a step, and never stays silent for long. */
export interface Progress {
  /** Runs one step. Its line ends in a tick or a cross; a step of a second and more says how long it took. */
  step<Result>(title: string, run: (step: Step) => Promise<Result>): Promise<Result>;
  /** Something an operator should know, on a line of its own. */
  note(text: string): void;
}

export interface Step {
  /** What the step is at just now. Shown at once on a terminal, every ten seconds elsewhere. */
  update(detail: string): void;
  /** Replaces the title in the line that ends the step. */
  name(title: string): void;
}

interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** A step's detail may be any program's line; on paper more of it than this hides the rest. */
const lineLengthMax = 160;
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Writes to a terminal with a moving sign, and to anything else in plain lines. */
export function createProgress(output: Output, nowMs: () => number = () => performance.now()): Progress {
  const isTerminal = output.isTTY === true;
  const line = (text: string): void => void output.write(`${isTerminal ? "\r\x1b[K" : ""}${text}\n`);

  return {
    note: (text) => line(`  ${text}`),
    step: async (title, run) => {
      const startedMs = nowMs();
      let shownTitle = title;
      let detail = "";
      let frame = 0;
      const elapsed = (): string => formatElapsed(nowMs() - startedMs);
      const timer = setInterval(
        () => {
          const time = formatSeconds(nowMs() - startedMs);
          const text = detail === "" ? `${title} (${time})` : `${title} (${time}): ${detail}`;
          const room = isTerminal ? Math.max(20, (output.columns ?? 80) - 4) : lineLengthMax;
          const shown = text.length > room ? `${text.slice(0, room - 1)}…` : text;
          if (isTerminal) output.write(`\r\x1b[K${frames[frame++ % frames.length] ?? ""} ${shown}`);
          else line(`  … ${shown}`);
        },
        isTerminal ? 120 : 10_000,
      );
      try {
        const result = await run({
          update: (text) => (detail = text.replace(/\s+/g, " ").trim()),
          name: (text) => (shownTitle = text),
        });
        line(`✓ ${shownTitle}${elapsed()}`);
        return result;
      } catch (error) {
        line(`✗ ${title}${elapsed()}`);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
  };
}

function formatElapsed(ms: number): string {
  return ms < 1000 ? "" : ` (${formatSeconds(ms)})`;
}

function formatSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

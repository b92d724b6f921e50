import pino from "pino";

/** One line of JSON for each thing worth knowing later. No secret is ever passed to it. */
export interface Logger {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
  child(fields: Record<string, unknown>): Logger;
}

/** Writes to standard output. `process` names the process in every line; an `err` field is written with its stack. */
export function createLogger(process: string): Logger {
  return pino({ base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}

/** Drops everything; for tests that do not look at logs. */
export function createSilentLogger(): Logger {
  const silent: Logger = { info: () => {}, warn: () => {}, error: () => {}, child: () => silent };
  return silent;
}

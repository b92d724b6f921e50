import type { Db } from "../platform/db";
import type { MeterProcess } from "./meter-world";

/**
 * Lets `racerCount` reservations, from several processes at once, race for the last 300 s of a month of their own.
 * Shape: how many were granted, and the month's total at the end.
 */
export async function raceForTheLast(options: {
  db: Db;
  processes: readonly MeterProcess[];
  capSeconds: number;
  racerCount: number;
  /** The round, which gives the race a month that no other has. */
  round: number;
}): Promise<{ grantedCount: number; totalSeconds: number }> {
  const { db, processes, capSeconds, racerCount, round } = options;
  const now = new Date(Date.UTC(2030, round, 10));
  const month = now.toISOString().slice(0, 7);
  const usedSeconds = capSeconds - 300;
  // A cap of 300 s leaves the month without a row, so that the first insert is raced for.
  if (usedSeconds > 0)
    await db.usageCounter.create({ data: { counter: "sandbox-seconds", month, usedSeconds } });
  const racers = Array.from({ length: racerCount }, (_, n) => processes[n % processes.length]);
  const answers = await Promise.all(racers.flatMap((process) => process?.reserve({ now }) ?? []));
  const total = await db.usageCounter.findFirst({ where: { month } });
  return {
    grantedCount: answers.filter(({ answer }) => answer.status === "granted").length,
    totalSeconds: (total?.usedSeconds ?? 0) + (total?.reservedSeconds ?? 0),
  };
}

const secondsPerDay = 86_400;

/**
 * What the month would come to if it went on as it went so far: a straight line from its first second. Null on its first
 * day, when a line says nothing.
 */
export function forecastSeconds(usedSeconds: number, now: Date): number | null {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const passedSeconds = (now.getTime() - start) / 1_000;
  if (passedSeconds < secondsPerDay) return null;
  return Math.round((usedSeconds / passedSeconds) * ((end - start) / 1_000));
}

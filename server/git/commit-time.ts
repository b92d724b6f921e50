const secondsMax = 8_640_000_000_000;

/** The time that a commit claims, ISO 8601 in UTC. Anything can stand there: what no calendar has becomes the nearest that has. */
export function toCommitTime(seconds: string): string {
  const claimed = Number(seconds);
  const known = Number.isFinite(claimed) ? Math.max(-secondsMax, Math.min(secondsMax, claimed)) : 0;
  return new Date(known * 1000).toISOString();
}

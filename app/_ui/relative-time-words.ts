const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const recentDays = 7;

/** How long ago, or in how long, in a word or two; what is further away than a week reads as its day, in UTC. */
export function relativeTimeWords(at: Date, now: Date): string {
  const distanceMs = Math.abs(now.getTime() - at.getTime());
  if (distanceMs < 5_000) return "now";
  if (distanceMs >= recentDays * dayMs) return dayWords(at, now);
  const amount = amountWords(distanceMs);
  return at <= now ? `${amount} ago` : `in ${amount}`;
}

function amountWords(distanceMs: number): string {
  if (distanceMs < minuteMs) return `${Math.floor(distanceMs / 1_000)} s`;
  if (distanceMs < hourMs) return `${Math.floor(distanceMs / minuteMs)} min`;
  if (distanceMs < dayMs) return `${Math.floor(distanceMs / hourMs)} h`;
  return `${Math.floor(distanceMs / dayMs)} d`;
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function dayWords(at: Date, now: Date): string {
  const day = `${at.getUTCDate()} ${monthNames[at.getUTCMonth()]}`;
  return at.getUTCFullYear() === now.getUTCFullYear() ? day : `${day} ${at.getUTCFullYear()}`;
}

/** The exact moment, such as "2026-12-01 09:05:07 UTC". */
export function exactTimeWords(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

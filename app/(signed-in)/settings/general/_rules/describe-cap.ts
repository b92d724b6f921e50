import { formatSeconds } from "@/app/_ui/amount-words";

interface CapFacts {
  usedSeconds: number;
  reservedSeconds: number;
  /** What an open reserves first. */
  openSeconds: number;
}

/** Says what a new cap does at once. */
export function describeCap(
  seconds: number,
  { usedSeconds, reservedSeconds, openSeconds }: CapFacts,
): string {
  const left = seconds - usedSeconds - reservedSeconds;
  const stands =
    reservedSeconds === 0
      ? ""
      : ` The ${formatSeconds(reservedSeconds)} that open workspaces have reserved stand.`;
  if (left <= 0)
    return `Nothing will be left this month: every open is refused, and open workspaces get no more than they hold.${stands}`;
  const refused =
    left < openSeconds
      ? `, less than the ${formatSeconds(openSeconds)} that an open reserves: opens are refused`
      : "";
  return `${formatSeconds(left)} will be left this month${refused}.${stands}`;
}

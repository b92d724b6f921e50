import { formatSeconds } from "@/app/_ui/amount-words";

/** Says what a new cap does at once. */
export function describeCap(
  seconds: number,
  { usedSeconds, reservedSeconds }: { usedSeconds: number; reservedSeconds: number },
): string {
  const left = seconds - usedSeconds - reservedSeconds;
  const stays = reservedSeconds === 0 ? "" : " What open workspaces have reserved stays reserved.";
  return left > 0
    ? `${formatSeconds(left)} will be left this month.${stays}`
    : `Nothing will be left this month: every open is refused, and open workspaces get no more than they hold.${stays}`;
}

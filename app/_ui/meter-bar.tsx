import { cn } from "./class-names";
import { formatSeconds } from "./amount-words";

interface MeterBarProps {
  used: number;
  reserved: number;
  cap: number;
  className?: string;
}

/** From which part of the cap on the bar warns. */
const warnFrom = 0.8;

/** Seconds used and reserved of a cap. The numbers stand beside it; its own text is for who cannot see it. */
export function MeterBar({ used, reserved, cap, className }: MeterBarProps) {
  const share = cap === 0 ? 1 : (used + reserved) / cap;
  const width = (seconds: number) => `${cap === 0 ? 100 : Math.min(100, (seconds / cap) * 100)}%`;
  const tone = share >= 1 ? "bg-bad" : share >= warnFrom ? "bg-warn" : "bg-accent";
  return (
    <div
      role="meter"
      aria-label="Sandbox seconds"
      aria-valuemin={0}
      aria-valuemax={cap}
      aria-valuenow={Math.min(cap, used + reserved)}
      aria-valuetext={`${formatSeconds(used)} used and ${formatSeconds(reserved)} reserved of ${formatSeconds(cap)}`}
      className={cn("flex h-1.5 w-full overflow-hidden rounded-full bg-line", className)}
    >
      <div className={tone} style={{ width: width(used) }} />
      <div className={cn(tone, "opacity-50")} style={{ width: width(reserved) }} />
    </div>
  );
}

import { formatSeconds } from "@/app/_ui/amount-words";
import type { DaySum } from "../_rules/sums";

const height = 120;
const barWidth = 20;
const gap = 4;
const steps = [60, 300, 600, 1_800, 3_600, 7_200, 14_400, 36_000, 72_000, 144_000];

/** Seconds by day, as bars with their scale; the same as a table for who cannot see them. */
export function DayChart({ days }: { days: readonly DaySum[] }) {
  const largest = Math.max(...days.map(({ chargedSeconds }) => chargedSeconds), 1);
  const top = steps.find((step) => step >= largest) ?? largest;
  const width = days.length * (barWidth + gap);
  return (
    <figure className="flex flex-col gap-2 px-4 py-3">
      <div
        className="overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label="Chart of the days, scrolls sideways"
      >
        <svg
          viewBox={`0 0 ${width} ${height + 20}`}
          className="h-36 min-w-xl w-full"
          role="img"
          aria-label={`Seconds by day, at most ${formatSeconds(largest)}`}
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1={0}
              x2={width}
              y1={height - share * (height - 10)}
              y2={height - share * (height - 10)}
              className="stroke-line"
            />
          ))}
          {days.map(({ day, chargedSeconds }, index) => {
            const size = (chargedSeconds / top) * (height - 10);
            return (
              <g key={day}>
                <rect
                  x={index * (barWidth + gap)}
                  y={height - size}
                  width={barWidth}
                  height={size}
                  rx={2}
                  className="fill-accent"
                >
                  <title>{`${day}: ${formatSeconds(chargedSeconds)}`}</title>
                </rect>
                <text
                  x={index * (barWidth + gap) + barWidth / 2}
                  y={height + 14}
                  textAnchor="middle"
                  className="fill-muted text-[10px]"
                >
                  {Number(day.slice(-2))}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption className="text-xs text-muted">
        The lines stand for {formatSeconds(top / 2)} and {formatSeconds(top)}.
      </figcaption>
      <DayTable days={days} />
    </figure>
  );
}

function DayTable({ days }: { days: readonly DaySum[] }) {
  return (
    <details className="text-xs">
      <summary className="cursor-pointer text-muted">As a table</summary>
      <table className="mt-2 text-left">
        <thead>
          <tr className="text-muted">
            <th className="pr-6 font-medium">Day (UTC)</th>
            <th className="font-medium">Charged</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ chargedSeconds }) => chargedSeconds > 0)
            .map(({ day, chargedSeconds }) => (
              <tr key={day}>
                <td className="pr-6">{day}</td>
                <td>{formatSeconds(chargedSeconds)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}

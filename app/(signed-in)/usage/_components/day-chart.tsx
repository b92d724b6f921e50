import { formatSeconds } from "@/app/_ui/amount-words";
import { topOfScale } from "../_rules/scale";
import type { DaySum } from "../_rules/sums";

/** A day is as wide as this in the drawing, which is stretched to the width of the page. */
const dayWidth = 10;
const barInset = 1;
const height = 100;

/** Seconds by day, as bars with their scale; the same as a table for who cannot see them. */
export function DayChart({ days }: { days: readonly DaySum[] }) {
  const largest = Math.max(...days.map(({ chargedSeconds }) => chargedSeconds), 1);
  const top = topOfScale(largest);
  return (
    <figure className="flex flex-col gap-2 px-3 py-3">
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <div
          aria-hidden="true"
          className="flex h-36 flex-col justify-between text-right text-xs leading-none text-muted tabular-nums"
        >
          {[top, top / 2, 0].map((seconds) => (
            <span key={seconds}>{formatSeconds(seconds)}</span>
          ))}
        </div>
        <Bars days={days} top={top} label={`Seconds by day, at most ${formatSeconds(largest)}`} />
        <div aria-hidden="true" className="col-start-2 flex pt-1 text-xs text-muted tabular-nums">
          {days.map(({ day }, index) => (
            <span key={day} className="w-0 min-w-0 flex-1 text-center">
              {/* Where there is no room for every day, the first and each fifth one stand for the others. */}
              <span className={index === 0 || (index + 1) % 5 === 0 ? "" : "hidden sm:inline"}>
                {Number(day.slice(-2))}
              </span>
            </span>
          ))}
        </div>
      </div>
      <DayTable days={days} />
    </figure>
  );
}

function Bars({ days, top, label }: { days: readonly DaySum[]; top: number; label: string }) {
  const width = days.length * dayWidth;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-36 w-full py-1.5"
      role="img"
      aria-label={label}
    >
      {[0, 0.5, 1].map((share) => (
        <line
          key={share}
          x1={0}
          x2={width}
          y1={height * share}
          y2={height * share}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {days.map(({ day, chargedSeconds }, index) => {
        const size = (chargedSeconds / top) * height;
        return (
          <g key={day} className="group">
            <title>{`${day}: ${formatSeconds(chargedSeconds)}`}</title>
            <rect
              x={index * dayWidth}
              y={0}
              width={dayWidth}
              height={height}
              className="fill-transparent group-hover:fill-sunken"
            />
            <rect
              x={index * dayWidth + barInset}
              y={height - size}
              width={dayWidth - 2 * barInset}
              height={size}
              className="fill-accent"
            />
          </g>
        );
      })}
    </svg>
  );
}

function DayTable({ days }: { days: readonly DaySum[] }) {
  return (
    <details className="text-xs">
      <summary className="cursor-pointer text-muted">As a table</summary>
      <table className="mt-2 text-left">
        <thead>
          <tr className="text-muted">
            <th scope="col" className="pr-6 font-medium">
              Day (UTC)
            </th>
            <th scope="col" className="font-medium">
              Charged
            </th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
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

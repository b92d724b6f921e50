interface SparklineProps {
  /** Oldest first. */
  values: readonly number[];
  /** What the top of the line stands for. */
  max: number;
  /** What it shows and how it stands now, in words. */
  label: string;
}

const width = 96;
const height = 24;
const inset = 1;

export function Sparkline({ values, max, label }: SparklineProps) {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const y = (value: number) =>
    height - inset - (max <= 0 ? 0 : Math.min(1, Math.max(0, value / max)) * (height - 2 * inset));
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${y(value).toFixed(1)}`);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-6 w-24 shrink-0"
    >
      <line
        x1="0"
        x2={width}
        y1={height - inset}
        y2={height - inset}
        className="stroke-line"
        strokeWidth="1"
      />
      {points.length < 2 ? null : (
        <polyline
          points={points.join(" ")}
          className="fill-none stroke-accent"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}

import { formatBytes, formatSeconds } from "./amount-words";

export { formatBytes, formatSeconds };

/** A length of time, the exact seconds on hover. */
export function Seconds({ value }: { value: number }) {
  return (
    <span title={`${value} seconds`} className="whitespace-nowrap tabular-nums">
      {formatSeconds(value)}
    </span>
  );
}

/** A size, the exact bytes on hover. */
export function Bytes({ value }: { value: number }) {
  return (
    <span title={`${value} bytes`} className="whitespace-nowrap tabular-nums">
      {formatBytes(value)}
    </span>
  );
}

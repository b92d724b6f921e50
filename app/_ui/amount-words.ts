const secondsPerMinute = 60;
const secondsPerHour = 3_600;
const secondsPerDay = 86_400;

/** Seconds in the two largest units that matter, such as "12 min 4 s". */
export function formatSeconds(value: number): string {
  const seconds = Math.max(0, Math.round(value));
  if (seconds < secondsPerMinute) return `${seconds} s`;
  if (seconds < secondsPerHour) return pair(seconds, secondsPerMinute, "min", 1, "s");
  if (seconds < secondsPerDay) return pair(seconds, secondsPerHour, "h", secondsPerMinute, "min");
  return pair(seconds, secondsPerDay, "d", secondsPerHour, "h");
}

function pair(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small);
  const whole = `${Math.floor(seconds / large)} ${largeUnit}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallUnit}`;
}

const byteUnits = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Bytes in the unit that leaves at most four digits, such as "1.5 MiB". */
export function formatBytes(value: number): string {
  if (value === 1) return "1 byte";
  let amount = value;
  let unit = 0;
  while (amount >= 1_024 && unit < byteUnits.length - 1) {
    amount /= 1_024;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 100 ? 0 : 1;
  return `${amount.toFixed(digits).replace(/\.0$/, "")} ${byteUnits[unit]}`;
}

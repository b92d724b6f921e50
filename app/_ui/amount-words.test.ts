import { expect, test } from "vitest";
import { formatBytes, formatSeconds } from "./amount-words";

test.each([
  [0, "0 s"],
  [59.4, "59 s"],
  [59.6, "1 min"],
  [724, "12 min 4 s"],
  [3_600, "1 h"],
  [11_100, "3 h 5 min"],
  [90_000, "1 d 1 h"],
])("%d seconds read %s", (value, words) => expect(formatSeconds(value)).toBe(words));

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1_023, "1023 bytes"],
  [1_024, "1 KiB"],
  [1_572_864, "1.5 MiB"],
  [157_286_400, "150 MiB"],
])("%d bytes read %s", (value, words) => expect(formatBytes(value)).toBe(words));

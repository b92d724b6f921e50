import { expect, test } from "vitest";
import { groupSettings, type Setting } from "./setting-groups";

const setting = (name: string, value: string): Setting => ({ name, value, source: "default" });

test("a setting stands in its group with its unit", () => {
  const [limits, times] = groupSettings([
    setting("SANDBOX_MEMORY_MB", "2048"),
    setting("SANDBOX_IDLE_MS", "120000"),
    setting("RUN_MAX_SECONDS", "28800"),
  ]);
  expect(limits?.rows).toMatchObject([{ name: "SANDBOX_MEMORY_MB", words: "2 GiB" }]);
  expect(times?.rows.map(({ words }) => words)).toEqual(["2 min", "8 h"]);
});

test("a setting that the page does not know is shown all the same, and one without a value has no unit", () => {
  const groups = groupSettings([setting("NEW_THING", "7"), setting("IMPORT_ALLOWED_HOSTS", "")]);
  expect(groups.map(({ rows }) => rows.map(({ label, words }) => [label, words]))).toEqual([
    [["Hosts that imports may come from", ""]],
    [["NEW_THING", "7"]],
  ]);
});

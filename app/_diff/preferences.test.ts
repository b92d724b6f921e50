import { expect, test } from "vitest";
import { defaultPreferences, parsePreferences } from "./preferences";

test("what is stored counts only where it is one of the allowed values", () => {
  expect(
    parsePreferences(JSON.stringify({ layout: "unified", tabWidth: 3, context: "whole", odd: 1 })),
  ).toEqual({
    ...defaultPreferences,
    layout: "unified",
    context: "whole",
  });
});

test("somebody else's text is no preference", () => {
  for (const text of [null, "", "{", "[]", "null", "3"])
    expect(parsePreferences(text)).toEqual(defaultPreferences);
});

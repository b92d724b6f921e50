import { expect, it } from "vitest";
import { canBecome, isLive } from "./state";

const states = ["reserved", "open", "settled", "released"] as const;

it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))(
  "a session goes from %s to %s only where the picture has an arrow",
  (from, to) => {
    const arrows = ["reserved→open", "reserved→released", "open→settled"];
    expect(canBecome(from, to)).toBe(arrows.includes(`${from}→${to}`));
  },
);

it("holds seconds until it ended", () => {
  expect(states.filter(isLive)).toEqual(["reserved", "open"]);
});

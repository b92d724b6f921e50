import { expect, it } from "vitest";
import { daysOf, sumBy } from "./sums";

it("a month has all its days, with the charges of each summed", () => {
  const days = daysOf("2028-02", [
    { day: "2028-02-29", chargedSeconds: 2 },
    { day: "2028-02-29", chargedSeconds: 3 },
  ]);
  expect(days).toHaveLength(29);
  expect(days.at(-1)).toEqual({ day: "2028-02-29", chargedSeconds: 5 });
  expect(days[0]).toEqual({ day: "2028-02-01", chargedSeconds: 0 });
});

it("sums by what is named, the largest first", () => {
  const charges = [
    { id: "a", chargedSeconds: 1 },
    { id: "b", chargedSeconds: 5 },
    { id: "a", chargedSeconds: 2 },
  ];
  expect(sumBy(charges, ({ id }) => ({ id, name: id.toUpperCase(), within: null }))).toEqual([
    { id: "b", name: "B", within: null, chargedSeconds: 5 },
    { id: "a", name: "A", within: null, chargedSeconds: 3 },
  ]);
});

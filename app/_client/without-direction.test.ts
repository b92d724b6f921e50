import { expect, test } from "vitest";
import { stripDirection } from "./without-direction";

test("the direction of paging reaches no procedure, and all else does", () => {
  expect(stripDirection({ group: "stuck", cursor: "c", direction: "forward" })).toEqual({
    group: "stuck",
    cursor: "c",
  });
  for (const input of [undefined, null, "text", { id: "i" }]) expect(stripDirection(input)).toEqual(input);
});

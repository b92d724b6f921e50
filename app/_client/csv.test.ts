import { expect, it } from "vitest";
import { toCsvText } from "./csv";

it("quotes what would break a row, and lets no text become a formula", () => {
  expect(
    toCsvText([
      ["name", "seconds"],
      ['a "b", c\nd', 12],
      ["=HYPERLINK(1)", null],
      ["-1", -1],
    ]),
  ).toBe('name,seconds\r\n"a ""b"", c\nd",12\r\n\'=HYPERLINK(1),\r\n\'-1,-1\r\n');
});

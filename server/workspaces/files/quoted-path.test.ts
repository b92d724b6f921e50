import { expect, it } from "vitest";
import { readQuotedPath } from "./quoted-path";

it.each([
  ["plain/ü name", "plain/ü name"],
  ['"a\\"b\\\\c\\td"', 'a"b\\c\td'],
  ['"line\\nfeed \\302\\240 ü"', "line\nfeed \u00a0 ü"],
  ['"', '"'],
])("reads %j as %j", (line, path) => {
  expect(readQuotedPath(line)).toBe(path);
});

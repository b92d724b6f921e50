import { expect, test } from "vitest";
import { plainRows } from "./plain-rows";

test("each row carries the numbers that its own side has", () => {
  const rows = plainRows(
    "diff --git a/file b/file\n@@ -5,2 +5,2 @@ f()\n a\n-b\n+c\n\\ No newline at end of file\n",
  );
  expect(rows.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text])).toEqual([
    ["heading", null, null, "@@ -5,2 +5,2 @@ f()"],
    ["context", 5, 5, "a"],
    ["removed", 6, null, "b"],
    ["added", null, 6, "c"],
    ["note", null, null, "No newline at end of file"],
  ]);
});

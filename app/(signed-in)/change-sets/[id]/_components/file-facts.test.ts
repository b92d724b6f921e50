import { expect, test } from "vitest";
import { hasLines } from "@/app/_diff/has-lines";
import { diffFile } from "@/app/_diff/diff-file-fixture";
import type { DiffFile } from "@/app/_diff/places";
import { factsOf } from "./file-facts";

const side = { objectId: "0".repeat(40), sizeBytes: null, encoding: null, lfs: null };
const typeChange = (from: string, to: string, kind: DiffFile["kind"]): DiffFile =>
  diffFile("a", {
    status: "type_changed",
    kind,
    flags: ["mode_changed"],
    old: { ...side, mode: from },
    new: { ...side, mode: to },
  });

test("a change of type is said once, in words and not in modes", () => {
  const words = (file: DiffFile) => factsOf(file).map(({ word }) => word);
  expect(words(typeChange("100644", "120000", "symlink"))).toEqual(["File → symbolic link"]);
  expect(words(typeChange("120000", "100755", "text"))).toEqual(["Symbolic link → file"]);
  expect(words(typeChange("100644", "160000", "submodule"))).toEqual(["File → submodule"]);
});

test("the lines of a file that became a submodule are shown as lost, and a submodule alone has none", () => {
  expect(hasLines(typeChange("100644", "160000", "submodule"))).toBe(true);
  expect(hasLines(diffFile("vendor/lib", { kind: "submodule" }))).toBe(false);
});

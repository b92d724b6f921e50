import { expect, it } from "vitest";
import { findingsOfManifest } from "./package-rules";
import { findingOfSymlink } from "./symlink-rules";

const before = JSON.stringify({ dependencies: { a: "1" }, scripts: { build: "tsc" } });

it("new dependencies are named, and scripts that run of themselves are shown", () => {
  const after = JSON.stringify(
    {
      dependencies: { a: "2", evil: "^1" },
      devDependencies: { "@x/y": "git+https://host.test/x" },
      scripts: { build: "tsc -b", postinstall: "node steal.js" },
    },
    null,
    2,
  );
  expect(findingsOfManifest(before, after)).toEqual([
    { reason: "new_dependency", line: 7, detail: "New: @x/y git+https://host.test/x, evil ^1" },
    { reason: "lifecycle_script", line: 11, detail: "postinstall runs of itself: node steal.js" },
  ]);
});

it("a dependency that moved between groups, or a newer version, is not new; a lifecycle script that stays is not named", () => {
  const old = JSON.stringify({ dependencies: { a: "1" }, scripts: { prepare: "husky" } });
  const now = JSON.stringify({ devDependencies: { a: "2" }, scripts: { prepare: "husky" } });
  expect(findingsOfManifest(old, now)).toEqual([]);
});

it.each(["", "{", "[]", "null", '{"dependencies":[],"scripts":3}', '{"scripts":{"install":{"a":1}}}'])(
  "%j breaks nothing",
  (text) => {
    expect(() => findingsOfManifest(text, text)).not.toThrow();
    expect(() => findingsOfManifest(null, text)).not.toThrow();
  },
);

it("names that only objects have are no scripts and no known dependencies", () => {
  const text = '{"dependencies":{"constructor":"1","__proto__":"2"}}';
  expect(findingsOfManifest("{}", text)[0]?.detail).toContain("constructor 1");
});

it.each([
  ["a/link", "../b", "Leads now to ../b."],
  ["link", "../b", "Leads now to ../b, outside of the repository."],
  ["a/link", "/etc/passwd", "Leads now to /etc/passwd, outside of the repository."],
  ["a/b/link", "../../..", "Leads now to ../../.., outside of the repository."],
])("the link %s to %s", (path, target, detail) => {
  expect(findingOfSymlink(path, target, false)).toEqual({ reason: "symlink", line: null, detail });
});

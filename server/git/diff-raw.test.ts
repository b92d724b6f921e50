import { expect, it } from "vitest";
import { traitsOf } from "./blob-traits";
import { parseNumstat, parseRaw } from "./diff-raw";
import { fromPathHandle, toPathHandle } from "./path-handle";
import { createPackWatch } from "./pump";

const [a, b] = ["a".repeat(40), "b".repeat(40)];

it("reads raw entries and counts by bytes, renames and odd names too", () => {
  const raw = Buffer.from(
    `:100644 100755 ${a} ${b} M\0tab\there\nfeed\0:100644 100644 ${a} ${b} R087\0old \xe9\0:new\0:000000 120000 ${"0".repeat(40)} ${b} A\0-l\0`,
    "latin1",
  );
  expect(
    parseRaw(raw).map(({ status, similarity, oldPath, newPath }) => [
      status,
      similarity,
      oldPath.toString("latin1"),
      newPath.toString("latin1"),
    ]),
  ).toEqual([
    ["M", null, "tab\there\nfeed", "tab\there\nfeed"],
    ["R", 87, "old \xe9", ":new"],
    ["A", null, "-l", "-l"],
  ]);
  const counts = parseNumstat(Buffer.from("1\t2\ttab\there\x003\t4\t\0old\0new\0-\t-\tx.bin\0", "latin1"));
  expect([...counts]).toEqual([
    ["tab\there", { insertions: 1, deletions: 2 }],
    ["new", { insertions: 3, deletions: 4 }],
    ["x.bin", { insertions: null, deletions: null }],
  ]);
  expect(parseRaw(Buffer.alloc(0))).toEqual([]);
  expect(() => parseRaw(Buffer.from("nonsense\0"))).toThrow();
});

it("gives each path one handle and finds its way back", () => {
  for (const text of ["a", "ä/한국어", "caf\xe9", "\xff", "a b"]) {
    for (const bytes of [Buffer.from(text, "utf8"), Buffer.from(text, "latin1")])
      expect(fromPathHandle(toPathHandle(bytes)).equals(bytes)).toBe(true);
  }
});

it("tells text, encodings, line ends and what hides in them", () => {
  const of = (text: string, encoding: BufferEncoding = "utf8") => traitsOf(Buffer.from(text, encoding));
  expect(of("a\r\nb\n")).toMatchObject({ encoding: "utf-8", lineEndings: "mixed", endsInLineFeed: true });
  expect(of("\ufeffa", "utf16le")).toMatchObject({ encoding: "utf-16le", hasBom: true, hasEarlyNul: true });
  expect(of("caf\xe9", "latin1")).toMatchObject({ encoding: "iso-8859-1", isText: true });
  expect(of("\0\x01\x02\x03\x04\x05\xff", "latin1")).toMatchObject({ encoding: null, isText: false });
  for (const hidden of ["\u202e", "\u2066", "\u200b", "\ufeff", "\u00ad", "\u{e0041}", "\x1b[0m"])
    expect(of(`let a${hidden};\n`).hasInvisibleOrBidi).toBe(true);
  for (const hidden of ["\x1b[0m".repeat(9), "\x01\x02\x03\x04\x05\x06\u202e"])
    expect(of(hidden)).toMatchObject({ encoding: null, hasInvisibleOrBidi: true });
  expect(of("\ufeffa\n", "utf16le").endsInLineFeed).toBe(true);
  expect(of("naïve 한국어 👩\t\f\n").hasInvisibleOrBidi).toBe(false);
  expect(of("=======\n").hasConflictMarkers).toBe(false);
});

it("sees the start of a pack wherever the pieces are cut", () => {
  const bytes = Buffer.from("0008NAK\nPACK\0\0\0\u0002rest", "latin1");
  for (let cut = 0; cut < bytes.length; cut += 1) {
    const watch = createPackWatch();
    watch.look(bytes.subarray(0, cut));
    watch.look(bytes.subarray(cut));
    expect(watch.hasSeenPack()).toBe(true);
  }
  const watch = createPackWatch();
  watch.look(Buffer.from("0008NAK\nPACK"));
  expect(watch.hasSeenPack()).toBe(false);
});

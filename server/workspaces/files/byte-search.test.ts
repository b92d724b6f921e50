import { expect, it } from "vitest";
import { findAll } from "./byte-search";

const find = (hay: string, needle: string) => findAll(Buffer.from(hay), Buffer.from(needle));

it("finds every place, overlapping ones too", () => {
  expect(find("aaaa", "aa")).toEqual([0, 1, 2]);
  expect(find("ababab", "abab")).toEqual([0, 2]);
  expect(find("abc", "abcd")).toEqual([]);
  expect(find("", "a")).toEqual([]);
  expect(find("xyx", "x")).toEqual([0, 2]);
});

it("finds what a plain search finds, for every short text of two letters", () => {
  for (let hay = 0; hay < 1 << 10; hay++) {
    const text = hay.toString(2).padStart(10, "0");
    for (const needle of ["0", "01", "010", "0101", "0011", "00100", "110110"]) {
      const expected = [...text].map((_, index) => index).filter((index) => text.startsWith(needle, index));
      expect(find(text, needle)).toEqual(expected);
    }
  }
});

it("stays linear for texts that are made to be slow", () => {
  const hay = Buffer.alloc(1024 * 1024, "a");
  const needle = Buffer.concat([Buffer.from("b"), Buffer.alloc(512 * 1024, "a")]);
  expect(findAll(hay, needle)).toEqual([]);
  expect(findAll(hay, needle.subarray(1))).toHaveLength(512 * 1024 + 1);
});

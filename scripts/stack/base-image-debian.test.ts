import { expect, test } from "vitest";
import { bunPackageOf, debianBaseArchiveName } from "./base-image-debian";

test("bun is taken for this processor, and its baseline build where AVX2 is missing", () => {
  expect(bunPackageOf("x64", "flags : fpu avx avx2 sse")).toBe("@oven/bun-linux-x64");
  expect(bunPackageOf("x64", "flags : fpu avx sse")).toBe("@oven/bun-linux-x64-baseline");
  expect(bunPackageOf("arm64", "")).toBe("@oven/bun-linux-aarch64");
});

test("the archive's name changes with the version of bun", () => {
  expect(debianBaseArchiveName("1.3.14")).not.toBe(debianBaseArchiveName("1.3.15"));
});

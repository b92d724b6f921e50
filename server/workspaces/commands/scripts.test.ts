import { expect, it } from "vitest";
import { readScripts } from "./scripts";

const read = (text: string) => readScripts(Buffer.from(text));

it("lists own keys alone, whatever they are called", () => {
  const text = '{"scripts":{"build":"x","__proto__":"y","constructor":"z"}}';
  expect(read(text)).toEqual({ status: "read", names: ["build", "__proto__", "constructor"] });
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect(read('{"__proto__":{"scripts":{"a":"b"}}}')).toEqual({ status: "read", names: [] });
});

it("leaves out what cannot be typed, and what bun would take for a flag, a file or nothing", () => {
  const names = [
    "a b",
    "a;b",
    "'a'",
    "a\nb",
    "a\u00a0b",
    "",
    "-e",
    "--help",
    ".",
    "./a.ts",
    "../a",
    "/bin/sh",
    "x".repeat(20_000),
  ];
  const scripts = Object.fromEntries(
    [...names, "ok", "test:unit", "@a/b", "é"].map((name) => [name, "echo"]),
  );
  expect(readScripts(Buffer.from(JSON.stringify({ scripts })))).toEqual({
    status: "read",
    names: ["ok", "test:unit", "@a/b", "é"],
  });
  expect(read('{"scripts":{"a":"","b":3,"c":null,"d":" ","e":["x"],"f":"x"}}')).toEqual({
    status: "read",
    names: ["f"],
  });
});

it.each(["{}", '{"scripts":null}', '{"scripts":[]}', '{"scripts":"x"}', '\ufeff{"name":"x"}'])(
  "%s has no scripts",
  (text) => {
    expect(read(text)).toEqual({ status: "read", names: [] });
  },
);

it.each(["", "[]", "null", "3", "{", "// x\n{}", `${"[".repeat(200_000)}`])("%.20s is not_json", (text) => {
  expect(read(text)).toEqual({ status: "not_json" });
});

it("does not take bytes that are no UTF-8 for JSON", () => {
  expect(readScripts(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toEqual({
    status: "not_json",
  });
});

it("reads nothing above 1 MiB", () => {
  expect(readScripts(new Uint8Array(1024 * 1024 + 1))).toEqual({ status: "too_large" });
  expect(readScripts(Buffer.from(`{"a":"${"x".repeat(1024 * 1024 - 8)}"}`))).toEqual({
    status: "read",
    names: [],
  });
});

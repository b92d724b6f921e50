import { expect, test } from "vitest";
import { parseHelperAnswer, parseHelperFailure } from "./helper-answers";

const item = { path: "a", type: "file", sizeBytes: 1, mode: "0644", target: null };

test("an answer is built anew: what a helper adds does not go on", () => {
  expect(parseHelperAnswer("writeFile", { created: true, mode: "0644", more: 1 })).toEqual({
    created: true,
    mode: "0644",
  });
  expect(parseHelperAnswer("listFiles", { items: [{ ...item, more: 1 }], truncated: false })).toEqual({
    items: [item],
    truncated: false,
  });
});

test.each([
  ["readFile", { sizeBytes: -1, mode: "0644", truncated: false }],
  ["readFile", { sizeBytes: 1, mode: "rw", truncated: false }],
  ["writeFile", { created: "yes", mode: "0644" }],
  ["listFiles", { items: {}, truncated: false }],
  ["listFiles", { items: [{ ...item, type: "device" }], truncated: false }],
  ["listFiles", { items: [{ ...item, target: 5 }], truncated: false }],
  ["deleteFile", { deletedCount: 1.5 }],
  ["deleteFile", null],
] as const)("%s does not take %j", (method, value) => {
  expect(() => parseHelperAnswer(method, value)).toThrow();
});

test("a failure keeps only codes that a helper may use, and a short message", () => {
  expect(parseHelperFailure({ code: "file.not_found", message: "x".repeat(1_000) }).message.length).toBe(200);
  expect(parseHelperFailure({ code: "auth.forbidden", message: "x" }).code).toBe("internal");
  expect(parseHelperFailure("x").code).toBe("internal");
});

import { expect, it } from "vitest";
import { hostToAllow, isCovered } from "./refusal-words";

it("offers a host only where adding it would let the request through", () => {
  expect(hostToAllow({ host: "api.example", reason: "name" }, [])).toBe("api.example");
  expect(hostToAllow({ host: "api.example", reason: "name" }, ["api.example"])).toBeNull();
  expect(hostToAllow({ host: "api.example", reason: "port" }, [])).toBeNull();
  expect(hostToAllow({ host: null, reason: "name" }, [])).toBeNull();
});

it("knows that *.name covers every name below it and not the name itself", () => {
  expect(isCovered("a.b.example", ["*.example"])).toBe(true);
  expect(isCovered("example", ["*.example"])).toBe(false);
  expect(isCovered("badexample", ["*.example"])).toBe(false);
});

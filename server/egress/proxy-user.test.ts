import { expect, it } from "vitest";
import { proxyUserOf } from "./proxy-user";

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString("base64")}`;
const of = (...values: string[]) =>
  proxyUserOf(values.map((value) => ["proxy-authorization", value] as const));

it("the user name of the proxy credentials is the run id", () => {
  expect(of(basic("0f8fad5b-d9cb-469f-a165-70867728950e:s3cret"))).toBe(
    "0f8fad5b-d9cb-469f-a165-70867728950e",
  );
});

it("nothing that could be a password, or something else than an id, is taken for it", () => {
  expect(of()).toBeNull();
  expect(of(basic("s3cret"))).toBeNull();
  expect(of(basic(":s3cret"))).toBeNull();
  expect(of(basic("a b:c"))).toBeNull();
  expect(of(basic(`${"a".repeat(65)}:c`))).toBeNull();
  expect(of("Bearer s3cret")).toBeNull();
  expect(of(basic("a:b"), basic("c:d"))).toBeNull();
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeApi, formatApiSchemas } from "./api-schemas";

const { procedures } = describeApi();

it("the committed schemas are those of the API as it is; `npm run schemas` writes them", () => {
  const committed = readFileSync(join(import.meta.dirname, "../../docs/schemas/api.json"), "utf8");
  expect(committed === formatApiSchemas(), "docs/schemas/api.json is out of date: npm run schemas").toBe(
    true,
  );
});

it.each(Object.entries(procedures))("%s says what it takes, and takes nothing else", (_name, { input }) => {
  if (input !== null) expect(input).toMatchObject({ type: "object", additionalProperties: false });
});

it.each(Object.entries(procedures))("%s says what it answers", (_name, { result }) => {
  expect(result["type"] === "object" || Array.isArray(result["oneOf"])).toBe(true);
});

it("a stream is described by one of its items", () => {
  expect(procedures["run.stream"]?.result).toMatchObject({ properties: { seq: { type: "integer" } } });
});

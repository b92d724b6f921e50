import { expect, test } from "vitest";
import { chooseSuffix } from "./instance-name";

const instance = { id: "1a2b3c4d-0000-4000-8000-000000000000", suffix: "" };
const other = "99999999-0000-4000-8000-000000000000";

test("the first instance of an engine lives under the plain names, and keeps them", () => {
  expect(chooseSuffix(instance, [])).toEqual(instance);
  expect(chooseSuffix(instance, [{ name: "rhumbatron-git", instanceId: instance.id }])).toEqual(instance);
});

test("another one takes its suffix as soon as somebody holds any plain name", () => {
  const held = [
    { name: "rhumbatron-git", instanceId: instance.id },
    { name: "rhumbatron_services", instanceId: other },
  ];
  expect(chooseSuffix(instance, held).suffix).toBe("1a2b3c4d");
  expect(chooseSuffix(instance, [{ name: "rhumbatron-egress", instanceId: null }]).suffix).toBe("1a2b3c4d");
});

test("a suffix is kept for ever", () => {
  expect(chooseSuffix({ ...instance, suffix: "1a2b3c4d" }, [])).toMatchObject({ suffix: "1a2b3c4d" });
});

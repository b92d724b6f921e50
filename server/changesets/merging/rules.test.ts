import { expect, it } from "vitest";
import { defaultMessage, identityOf } from "./rules";

it("a name that would end its part of a commit's line cannot", () => {
  expect(identityOf("A <b@c>\nD\0", "x@y>\n")).toEqual({ name: "A b@cD", email: "x@y" });
  expect(identityOf(" ., <> ", "a@b.test").name).toBe("reviewer");
});

it("a message has one line that says what is merged, and the ids below", () => {
  const changeSet = { id: "c", runId: "r", title: "Adds\na limit ", version: 2 };
  expect(defaultMessage(changeSet as never)).toBe(
    "Merge ChangeSet: Adds a limit\n\nChangeSet-Id: c\nChangeSet-Version: 2\nRun-Id: r\n",
  );
});

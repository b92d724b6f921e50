import { expect, test } from "vitest";
import { routersOfEvent } from "./routers-of-event";

test("a new ChangeSet is asked for anew wherever it is shown", () => {
  expect(routersOfEvent("changeset.proposed")).toEqual(
    expect.arrayContaining(["inbox", "changeSet", "change", "run", "event"]),
  );
});

test("after an event of a type that the page does not know, everything is asked again", () => {
  expect(routersOfEvent("preview.opened")).toBeNull();
});

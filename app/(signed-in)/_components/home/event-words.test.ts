import { expect, test } from "vitest";
import { eventWords } from "./event-words";

const event = (type: string, data: Record<string, unknown> = {}) =>
  eventWords({ type, projectId: "p", changeId: "c", data });

test("an event leads to what it is about", () => {
  expect(event("changeset.proposed", { changeSetId: "s", title: "Limit" })).toEqual({
    what: "Proposed:",
    name: "Limit",
    href: "/change-sets/s",
  });
  expect(event("workspace.refused", { reason: "change_slots_full" })).toEqual({
    what: "A workspace was refused: change slots full",
    name: null,
    href: "/changes/c",
  });
});

test("what an agent named is kept apart from our own words", () => {
  expect(event("task.created", { title: "</b> Merged:" })).toMatchObject({
    what: "New Task:",
    name: "</b> Merged:",
  });
});

test("a type that is not known yet still shows", () => {
  expect(event("preview.opened", { runId: "r" })).toEqual({
    what: "preview.opened",
    name: null,
    href: "/runs/r",
  });
});

import { describe, expect, test } from "vitest";
import { addPress, endsWithKeys, nameOfPress, nothingTyped, type KeyPress } from "./key-sequence";

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

test.each([
  [press("j"), "j"],
  [press("J", { shiftKey: true }), "shift+j"],
  [press("?", { shiftKey: true }), "?"],
  [press("Enter", { metaKey: true }), "mod+enter"],
  [press("Enter", { ctrlKey: true, shiftKey: true }), "mod+shift+enter"],
  [press("Escape"), "escape"],
])("a press has one name on every keyboard", (given, name) => expect(nameOfPress(given)).toBe(name));

describe("keys in a row", () => {
  test("are met when the second follows the first soon", () => {
    const typed = addPress(addPress(nothingTyped, press("g"), 5_000), press("h"), 5_900);
    expect(endsWithKeys(typed, "g h")).toBe(true);
    expect(endsWithKeys(typed, "h")).toBe(true);
    expect(endsWithKeys(typed, "g")).toBe(false);
  });

  test("are not met after a pause", () => {
    const typed = addPress(addPress(nothingTyped, press("g"), 5_000), press("h"), 6_100);
    expect(endsWithKeys(typed, "g h")).toBe(false);
  });
});

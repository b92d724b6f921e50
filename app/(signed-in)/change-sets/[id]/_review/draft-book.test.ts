import { describe, expect, it } from "vitest";
import { createDraftBook, type Draft } from "./draft-book";

function createWorld() {
  const timers: { ms: number; run: () => void }[] = [];
  const kept = new Map<string, string>();
  const saved: string[] = [];
  const removed: string[] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const book = createDraftBook({
    save: (draft) => {
      saved.push(draft.body);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
    remove: (id) => {
      removed.push(id);
      return Promise.resolve();
    },
    keep: (draft) => kept.set(draft.id, draft.body),
    release: (id) => kept.delete(id),
    later: (ms, run) => {
      const timer = { ms, run };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const runTimers = async () => {
    for (const timer of timers.splice(0)) timer.run();
    await settle();
  };
  const answer = async (error?: Error) => {
    const next = answers.shift();
    if (error === undefined) next?.resolve();
    else next?.reject(error);
    await settle();
  };
  return { book, timers, kept, saved, removed, runTimers, answer, settle };
}

const draft = {
  id: "d",
  changeSetId: "c",
  headCommit: "h",
  version: 1,
  target: { type: "comment", anchor: null, kind: "note" },
  placement: null,
} as const;

describe("a draft", () => {
  it("is saved after a pause, once for many keys, and is kept in the browser until then", async () => {
    const { book, kept, saved, runTimers, answer } = createWorld();
    book.begin(draft);
    for (const body of ["a", "ab", "abc"]) book.write("d", body);
    expect(kept.get("d")).toBe("abc");
    await runTimers();
    expect(saved).toEqual(["abc"]);
    expect(book.get("d")?.status).toBe("saving");
    await answer();
    expect(book.get("d")?.status).toBe("saved");
    expect(kept.size).toBe(0);
  });

  it("that was written on while it was saved is saved again, and never by an older text last", async () => {
    const { book, saved, runTimers, answer } = createWorld();
    book.begin(draft);
    book.write("d", "a");
    await runTimers();
    book.write("d", "ab");
    await runTimers();
    expect(saved).toEqual(["a"]);
    await answer();
    await runTimers();
    expect(saved).toEqual(["a", "ab"]);
    await answer();
    expect(book.get("d")?.status).toBe("saved");
  });

  it("that cannot be saved stays in the browser and is tried again", async () => {
    const { book, kept, saved, timers, runTimers, answer } = createWorld();
    book.begin(draft);
    book.write("d", "a");
    await runTimers();
    await answer(new Error("lost"));
    expect(book.get("d")?.status).toBe("failed");
    expect(kept.get("d")).toBe("a");
    expect(timers.map(({ ms }) => ms)).toEqual([4_000]);
    await runTimers();
    await answer();
    expect(saved).toEqual(["a", "a"]);
    expect(book.get("d")?.status).toBe("saved");
  });

  it("that is thrown away while it is saved is removed after that, and an older look does not bring it back", async () => {
    const { book, removed, runTimers, answer } = createWorld();
    book.begin(draft);
    book.write("d", "a");
    await runTimers();
    book.drop("d");
    expect(removed).toEqual([]);
    await answer();
    expect(removed).toEqual(["d"]);
    book.load([{ ...draft, body: "a", status: "saved", isOpen: false } satisfies Draft]);
    expect(book.list()).toEqual([]);
  });

  it("that is being written here is not overwritten by what the server had", () => {
    const { book } = createWorld();
    book.begin(draft);
    book.write("d", "new");
    book.load([{ ...draft, body: "old", status: "saved", isOpen: false }]);
    expect(book.get("d")?.body).toBe("new");
  });
});

it("a flush saves what waits, and says when something could not be saved", async () => {
  const { book, answer, settle } = createWorld();
  book.begin(draft);
  book.write("d", "a");
  const flushed = book.flush();
  await settle();
  await answer();
  expect(await flushed).toBe(true);
  book.write("d", "b");
  const again = book.flush();
  await settle();
  await answer(new Error("lost"));
  expect(await again).toBe(false);
});

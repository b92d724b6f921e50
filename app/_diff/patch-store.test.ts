import { describe, expect, test, vi } from "vitest";
import { diffFile } from "./diff-file-fixture";
import { createPatchStore, type PatchRequest } from "./patch-store";

function world(paths: string[], how: { fails?: string[]; missing?: string[] } = {}) {
  const requests: PatchRequest[] = [];
  const open: (() => void)[] = [];
  const store = createPatchStore<string>({
    files: paths.map((path) => diffFile(path)),
    context: 3,
    fetchPatches: async (request) => {
      requests.push(request);
      await new Promise<void>((resolve) => open.push(resolve));
      return request.paths
        .filter((path) => how.missing?.includes(path) !== true)
        .map((path) => ({ path, patch: path, encoding: "utf8" as const, truncated: false }));
    },
    parse: (file, raw, { context, showsLongLines }) => {
      if (how.fails?.includes(file.path) === true) throw new Error("not whole");
      return `${raw.patch} ${context} ${showsLongLines ? "long" : "cut"}`;
    },
    pause: () => Promise.resolve(),
    soon: (tell) => tell(),
  });
  const answerAll = () => open.splice(0).forEach((resolve) => resolve());
  return { store, requests, answerAll };
}

describe("createPatchStore", () => {
  test("nothing is asked for while nobody listens", () => {
    const { store, requests } = world(["a"]);
    store.want(["a"]);
    expect(requests).toHaveLength(0);
    store.subscribe(() => undefined);
    expect(requests).toEqual([{ paths: ["a"], context: 3 }]);
  });

  test("a file that does not parse fails alone", async () => {
    const { store, answerAll } = world(["a", "b", "c"], { fails: ["b"], missing: ["c"] });
    store.subscribe(() => undefined);
    store.want(["a", "b", "c"]);
    answerAll();
    await vi.waitFor(() => expect(store.get("c").status).toBe("failed"));
    expect(store.get("a")).toEqual({ status: "ready", body: "a 3 cut" });
    expect(store.get("b").status).toBe("failed");
  });

  test("what is on the screen comes before what was only asked for ahead", async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `f${index}`);
    const { store, requests, answerAll } = world(paths);
    store.subscribe(() => undefined);
    store.wantLater(paths);
    store.want(["f99"]);
    answerAll();
    await vi.waitFor(() => expect(requests.length).toBeGreaterThan(2));
    expect(requests[2]?.paths[0]).toBe("f99");
  });

  test("nothing is asked for twice", () => {
    const { store, requests } = world(["a"]);
    store.subscribe(() => undefined);
    store.want(["a"]);
    store.want(["a"]);
    store.wantLater(["a"]);
    expect(requests).toHaveLength(1);
  });

  test("more lines around a change are a new request, longer lines are not", async () => {
    const { store, requests, answerAll } = world(["a"]);
    store.subscribe(() => undefined);
    store.want(["a"]);
    answerAll();
    await vi.waitFor(() => expect(store.get("a").status).toBe("ready"));
    store.reload("a", { showsLongLines: true });
    expect(store.get("a")).toEqual({ status: "ready", body: "a 3 long" });
    store.reload("a", { context: 100 });
    expect(requests[1]).toEqual({ paths: ["a"], context: 100 });
  });
});

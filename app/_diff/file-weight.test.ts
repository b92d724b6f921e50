import { describe, expect, test } from "vitest";
import { diffFile } from "./diff-file-fixture";
import { isLockFile, weigh } from "./file-weight";

describe("weigh", () => {
  test("generated files, lock files and large changes begin folded", () => {
    expect(weigh(diffFile("a.ts", { flags: ["generated"] })).fold).toBe("generated");
    expect(weigh(diffFile("web/package-lock.json")).fold).toBe("lock");
    expect(weigh(diffFile("a.ts", { insertions: 300, deletions: 101 })).fold).toBe("large");
    expect(weigh(diffFile("a.ts", { insertions: 300, deletions: 100 })).fold).toBeNull();
  });

  test("what is large comes when it is asked for, what is huge not at all", () => {
    const side = diffFile("a").new;
    const sized = (sizeBytes: number) =>
      diffFile("a.json", { new: side === null ? null : { ...side, sizeBytes } });
    expect(weigh(sized(1024 * 1024)).body).toBe("at_once");
    expect(weigh(sized(1024 * 1024 + 1)).body).toBe("asked_for");
    expect(weigh(diffFile("a.ts", { insertions: 20_001, deletions: 0 })).body).toBe("asked_for");
    expect(weigh(sized(10 * 1024 * 1024 + 1)).body).toBe("download_only");
  });

  test("a name that only ends like a lock file is none", () => {
    expect(isLockFile("my-yarn.lock")).toBe(false);
    expect(isLockFile("yarn.lock")).toBe(true);
  });
});

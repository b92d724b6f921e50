import { describe, expect, it } from "vitest";
import type { DiffFile } from "../../git/types";
import { findingsOfFile } from "./path-rules";
import type { HighlightReason } from "./types";

function fileOf(path: string, changes: Partial<DiffFile> = {}): DiffFile {
  const side = {
    mode: "100644",
    objectId: "a".repeat(40),
    sizeBytes: 9,
    encoding: "utf-8" as const,
    lfs: null,
  };
  return {
    status: "modified",
    path,
    displayPath: path,
    oldPath: path,
    oldDisplayPath: path,
    old: side,
    new: side,
    similarity: null,
    kind: "text",
    insertions: 1,
    deletions: 1,
    flags: [],
    ...changes,
  };
}

const reasonsOf = (file: DiffFile): HighlightReason[] => findingsOfFile(file).map(({ reason }) => reason);

describe("a name tells what a file decides", () => {
  it.each<[string, HighlightReason[]]>([
    [".github/workflows/ci.yml", ["ci"]],
    [".GitHub/Workflows/CI.YML", ["ci"]],
    [".gitlab-ci.yml", ["ci"]],
    ["ops/Jenkinsfile", ["ci"]],
    ["docs/github/workflows.md", []],
    ["CODEOWNERS", ["code_owners"]],
    [".github/CODEOWNERS", ["code_owners"]],
    ["packages/core/.gitattributes", ["git_attributes"]],
    [".gitmodules", ["git_modules"]],
    ["bun.lock", ["lock_file"]],
    ["packages/a/package-lock.json", ["lock_file"]],
    ["Cargo.lock", ["lock_file"]],
    ["Dockerfile", ["container"]],
    ["docker/web.Dockerfile", ["container"]],
    ["docker-compose.prod.yml", ["container"]],
    ["compose.yaml", ["container"]],
    ["src/compose.ts", []],
    ["db/migrations/003_users/up.sql", ["migration"]],
    ["schema.sql", ["migration"]],
    ["docs/migrating.md", []],
    ["src/auth/session.ts", ["auth"]],
    ["src/access-policy.ts", ["auth"]],
    ["lib/useAuthentication.ts", ["auth"]],
    [".env.production", ["auth"]],
    ["src/author.ts", []],
    ["src/tokenizer.ts", []],
    ["src/index.ts", []],
    ["src/环境/文件.ts", []],
  ])("%s", (path, reasons) => {
    expect(reasonsOf(fileOf(path))).toEqual(reasons);
  });

  it("judges a renamed file under its old name too, so that moving a workflow away does not hide it", () => {
    const renamed = fileOf("attic/ci.yml", { status: "renamed", oldDisplayPath: ".github/workflows/ci.yml" });
    expect(reasonsOf(renamed)).toEqual(["ci"]);
  });
});

describe("what happened to a file tells where to look", () => {
  const side = (mode: string, objectId = "b".repeat(40)): NonNullable<DiffFile["new"]> => ({
    mode,
    objectId,
    sizeBytes: 4_096,
    encoding: null,
    lfs: null,
  });

  it.each<[string, DiffFile, HighlightReason[]]>([
    ["a deleted test", fileOf("src/a.test.ts", { status: "deleted", new: null }), ["deleted_test"]],
    ["a deleted test in Python", fileOf("pkg/test_a.py", { status: "deleted", new: null }), ["deleted_test"]],
    ["a deleted file that is no test", fileOf("src/contest.ts", { status: "deleted", new: null }), []],
    [
      "a test renamed away",
      fileOf("src/a.ts", { status: "renamed", oldDisplayPath: "src/a.test.ts" }),
      ["deleted_test"],
    ],
    [
      "a submodule moved",
      fileOf("vendor/x", { kind: "submodule", old: side("160000"), new: side("160000", "c".repeat(40)) }),
      ["submodule"],
    ],
    [
      "a submodule that became a file",
      fileOf("vendor/x", { status: "type_changed", old: side("160000") }),
      ["submodule"],
    ],
    [
      "a binary added",
      fileOf("x.bin", { status: "added", kind: "binary", old: null, insertions: null, deletions: null }),
      ["binary_added"],
    ],
    ["a binary changed", fileOf("x.bin", { kind: "binary", insertions: null, deletions: null }), []],
    ["a large deletion", fileOf("src/a.ts", { insertions: 3, deletions: 400 }), ["large_deletion"]],
    ["a large rewrite", fileOf("src/a.ts", { insertions: 380, deletions: 400 }), []],
    [
      "made executable",
      fileOf("run.sh", { flags: ["mode_changed", "became_executable"] }),
      ["became_executable"],
    ],
    ["invisible characters", fileOf("src/a.ts", { flags: ["invisible_or_bidi"] }), ["invisible_or_bidi"]],
    ["conflict markers", fileOf("src/a.ts", { flags: ["conflict_markers"] }), ["conflict_markers"]],
    ["generated", fileOf("src/a.ts", { flags: ["generated"] }), ["generated"]],
  ])("%s", (_what, file, reasons) => {
    expect(reasonsOf(file)).toEqual(reasons);
  });
});

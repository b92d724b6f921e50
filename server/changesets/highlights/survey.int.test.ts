import { chmod, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DiffRange } from "../../git/types";
import { commitFiles, createGitWorld, createProject, mustGit, type GitWorld } from "../../testing/git-world";
import { survey, surveyLimits } from "./survey";

let world: GitWorld;
beforeAll(async () => {
  world = await createGitWorld();
});
afterAll(() => world.close());

const token = "ghp_q7Rt2LmX9pZk4VbN8sWd1HyC6uJf3GaE5oTi";

async function land(
  project: { projectId: string; commit: string; source: string },
  files: Readonly<Record<string, string | Buffer>>,
): Promise<DiffRange> {
  const { projectId, commit, source } = project;
  const head = await commitFiles(source, files);
  await mustGit(["push", "--quiet", join(world.repositories, projectId, "canonical.git"), "main"], {
    cwd: source,
  });
  return { projectId, base: commit, head };
}

it("a ChangeSet that hides something in every way has each of them named, the weightiest first, no secret in full", async () => {
  const project = await createProject(world, {
    "package.json": '{"dependencies":{"a":"1"}}\n',
    "src/sum.test.ts": "it('adds', f);\n",
    "src/gone.test.ts": "it('subtracts', f);\n",
    "run.sh": "#!/bin/sh\n",
    "docs/target.md": "x\n",
  });
  await rm(join(project.source, "src/gone.test.ts"));
  await chmod(join(project.source, "run.sh"), 0o755);
  await symlink("/etc/passwd", join(project.source, "docs/link"));
  const range = await land(project, {
    "package.json":
      '{\n  "dependencies": { "a": "1", "evil": "^1" },\n  "scripts": { "postinstall": "node x.js" }\n}\n',
    "src/sum.test.ts": "// as it was\nit.skip('adds', f);\n",
    ".github/workflows/ci.yml": "on: push\n",
    ".gitattributes": "*.ts linguist-generated -diff\n",
    "src/Prüfung/key.ts": `export const a = 1;\nexport const key = "${token}";\n`,
    "src/bidi.ts": "const a = 1; //\u202e x\n",
    "x.bin": Buffer.from([0, 255, 0, 254]),
  });
  const { items, truncated } = await survey(world.client, range, surveyLimits);
  expect(truncated).toBe(false);
  expect(items.map(({ reason, path, line }) => [reason, path, line])).toEqual([
    ["secret", "src/Prüfung/key.ts", 2],
    ["invisible_or_bidi", "src/bidi.ts", 1],
    ["lifecycle_script", "package.json", 3],
    ["ci", ".github/workflows/ci.yml", null],
    ["git_attributes", ".gitattributes", null],
    ["symlink", "docs/link", null],
    ["became_executable", "run.sh", null],
    ["binary_added", "x.bin", null],
    ["new_dependency", "package.json", 2],
    ["deleted_test", "src/gone.test.ts", null],
    ["skipped_test", "src/sum.test.ts", 2],
  ]);
  expect(JSON.stringify(items)).not.toContain(token.slice(0, 12));
});

it("of 10,000 changed files as many are looked into as the limits say, names are judged for all, and it says so", async () => {
  const project = await createProject(world);
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      `src/${index % 100}/file-${index}.ts`,
      `export const n = ${index};\n`,
    ]),
  );
  const range = await land(project, {
    ...many,
    "zz/.github/workflows.md": "x\n",
    "zz/Dockerfile": "FROM x\n",
  });
  const { items, truncated } = await survey(world.client, range, surveyLimits);
  expect(truncated).toBe(true);
  expect(items).toMatchObject([{ reason: "container", path: "zz/Dockerfile" }]);
}, 120_000);

it("a huge file does not keep the rules from the others, and says that it was not looked into", async () => {
  const project = await createProject(world);
  const range = await land(project, {
    "a-large.ts": "const filler = 1;\n".repeat(120_000),
    "small.ts": `const key = "${token}";\n`,
  });
  expect(await survey(world.client, range, surveyLimits)).toMatchObject({
    items: [{ reason: "secret", path: "small.ts", line: 1 }],
    truncated: true,
  });
});

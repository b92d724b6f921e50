import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decideCommand } from "./rules";

/**
 * With real git, in a repository whose every setting, attribute and hook is hostile. If these fail, looking at what an
 * agent did starts a program that the agent chose.
 */
let directory: string;
let workspace: string;
let marks: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rhumbatron-git-"));
  workspace = join(directory, "workspace");
  marks = join(directory, "marks");
  mkdirSync(workspace);
  mkdirSync(marks);
  mkdirSync(join(directory, "home"));
  git("init", "-q", "-b", "main");
  git("config", "user.email", "agent@example.com");
  git("config", "user.name", "agent");
  writeFileSync(join(workspace, "a.txt"), "one\n");
  writeFileSync(join(workspace, "Änderung.txt"), "one\n");
  mkdirSync(join(workspace, "packages/core"), { recursive: true });
  writeFileSync(join(workspace, "packages/core/x.ts"), "export {};\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  git("tag", "v1");
  writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");
  git("commit", "-q", "-a", "-m", "second");
  writeFileSync(join(workspace, "a.txt"), "one\ntwo\nthree\n");
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: workspace, encoding: "utf8", stdio: "pipe", env: plainEnv() });
}

/** Runs git as its user would, with what is configured in the workspace. */
function runPlainly(...words: string[]): void {
  spawnSync("git", words, { cwd: workspace, env: plainEnv() });
}

/** What stands for the Sandbox's own environment. */
function plainEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"] ?? "", HOME: join(directory, "home"), NODE_ENV: "test" };
}

function run(text: string): { exitCode: number | null; stdout: string; stderr: string } {
  const decision = decideCommand({ text, scripts: { status: "absent" } });
  if (decision.status === "rejected") throw new Error(decision.message);
  const [program = "", ...words] = decision.execution.argv;
  const child = spawnSync(program, words, {
    cwd: workspace,
    encoding: "utf8",
    env: { ...plainEnv(), ...decision.execution.env },
    timeout: 20_000,
  });
  return { exitCode: child.status, stdout: child.stdout, stderr: child.stderr };
}

/** A program that leaves a mark under its name when it is started. */
function plant(name: string): string {
  const path = join(directory, `${name}.sh`);
  writeFileSync(path, `#!/bin/sh\necho "$0" > ${marks}/${name}\n`);
  chmodSync(path, 0o755);
  return path;
}

function startedPrograms(): string[] {
  return readdirSync(marks).sort();
}

const commands = [
  "git status",
  "git status -s -b --short --branch --porcelain -- packages/core",
  "git diff",
  "git diff --stat HEAD",
  "git diff -w HEAD^ HEAD -- a.txt",
  "git diff --cached --name-status",
  "git log",
  "git log --oneline --stat -n 2 v1..HEAD",
  "git log -1 --name-only -- a.txt",
];

describe("nothing that a workspace configures is started by git status, diff and log", () => {
  function plantEverything(): void {
    for (const [key, name] of [
      ["diff.external", "external"],
      ["diff.evil.command", "command"],
      ["core.fsmonitor", "fsmonitor"],
      ["core.pager", "pager"],
      ["pager.log", "pager-log"],
      ["pager.diff", "pager-diff"],
      ["pager.status", "pager-status"],
      ["core.editor", "editor"],
      ["core.sshCommand", "ssh"],
      ["core.askPass", "askpass"],
      ["gpg.program", "gpg"],
      ["gpg.openpgp.program", "gpg-openpgp"],
      ["gpg.ssh.program", "gpg-ssh"],
      ["credential.helper", "credential"],
      ["trace2.eventTarget", "trace"],
    ] as const) {
      git("config", key, plant(name));
    }
    for (const command of ["status", "diff", "log"])
      git("config", `alias.${command}`, `!${plant(`alias-${command}`)}`);
    git("config", "log.showSignature", "true");
    git("config", "format.pretty", "%G? %h");
    git("config", "color.ui", "always");
    const hooks = join(directory, "hooks");
    mkdirSync(hooks);
    git("config", "core.hooksPath", hooks);
    for (const hook of ["post-index-change", "reference-transaction", "post-checkout"]) {
      cpSync(plant(`hook-${hook}`), join(hooks, hook));
      cpSync(plant(`own-${hook}`), join(workspace, ".git/hooks", hook));
    }
    writeFileSync(join(workspace, ".gitattributes"), "*.txt diff=evil\n");
    writeFileSync(join(workspace, ".git/info/attributes"), "*.txt diff=evil\n");
    writeFileSync(join(workspace, "packages/core/x.ts"), "export const x = 1;\n");
    addSignedCommit();
  }

  /** A commit with a signature, which git asks a program about when it may. */
  function addSignedCommit(): void {
    const body = [
      `tree ${git("rev-parse", "HEAD^{tree}").trim()}`,
      `parent ${git("rev-parse", "HEAD").trim()}`,
      "author a <a@example.com> 1700000000 +0000",
      "committer a <a@example.com> 1700000000 +0000",
      "gpgsig -----BEGIN PGP SIGNATURE-----",
      " ",
      " abc",
      " -----END PGP SIGNATURE-----",
      "",
      "signed",
      "",
    ].join("\n");
    const words = ["hash-object", "-t", "commit", "-w", "--stdin"];
    const env = plainEnv();
    const id = execFileSync("git", words, { cwd: workspace, encoding: "utf8", input: body, env }).trim();
    writeFileSync(join(workspace, ".git/refs/heads/main"), `${id}\n`);
  }

  it("and the same plants are started by git as it is, so that this test can fail", () => {
    plantEverything();
    for (const words of [["status"], ["diff"], ["log", "-1"]]) runPlainly(...words);
    expect(startedPrograms()).toEqual(
      expect.arrayContaining(["command", "external", "fsmonitor", "gpg-openpgp", "hook-post-index-change"]),
    );
  });

  it.each(commands)("%s", (text) => {
    plantEverything();
    const { exitCode, stdout, stderr } = run(text);
    expect(startedPrograms()).toEqual([]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).not.toContain("\u001b");
  });

  it("nor a program that makes text of a file", () => {
    git("config", "diff.evil.textconv", plant("textconv"));
    writeFileSync(join(workspace, ".gitattributes"), "*.txt diff=evil\n");
    runPlainly("diff");
    expect(startedPrograms()).toEqual(["textconv"]);
    rmSync(join(marks, "textconv"));
    for (const text of commands) run(text);
    expect(startedPrograms()).toEqual([]);
  });

  it("nor does git go into a submodule, whose own configuration would hold there", () => {
    const inner = join(workspace, "vendor");
    execFileSync("git", ["init", "-q", inner], { env: plainEnv() });
    const identity = ["-c", "user.email=a@example.com", "-c", "user.name=a"];
    execFileSync("git", ["-C", inner, ...identity, "commit", "-q", "--allow-empty", "-m", "x"], {
      env: plainEnv(),
    });
    git("-c", "advice.addEmbeddedRepo=false", "add", "vendor");
    execFileSync("git", ["-C", inner, "config", "core.fsmonitor", plant("inner-fsmonitor")], {
      env: plainEnv(),
    });
    writeFileSync(join(inner, "new"), "x");
    runPlainly("status");
    expect(startedPrograms()).toEqual(["inner-fsmonitor"]);
    rmSync(join(marks, "inner-fsmonitor"));
    for (const text of commands) run(text);
    expect(startedPrograms()).toEqual([]);
  });

  it("nor a program that a missing object would be fetched with", () => {
    const blob = git("rev-parse", "HEAD:a.txt").trim();
    rmSync(join(workspace, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    git("config", "core.repositoryFormatVersion", "1");
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.url", `ext::${plant("ext")}`);
    git("config", "protocol.allow", "always");
    runPlainly("diff", "HEAD^", "HEAD");
    expect(startedPrograms()).toEqual(["ext"]);
    rmSync(join(marks, "ext"));
    expect(run("git diff HEAD^ HEAD").exitCode).not.toBe(0);
    expect(startedPrograms()).toEqual([]);
  });
});

describe("git stays in the Run's directory", () => {
  it("when the configuration names another work tree", () => {
    const other = join(directory, "other");
    mkdirSync(other);
    writeFileSync(join(other, "secret-name"), "secret");
    git("config", "core.worktree", other);
    const { stdout } = run("git status -s");
    expect(stdout).toBe(" M a.txt\n");
    expect(run("git diff").stdout).toContain("+three");
  });

  it("when its repository is gone and there is another further up", () => {
    writeFileSync(join(directory, "outer-name"), "x");
    execFileSync("git", ["init", "-q", directory], { env: plainEnv() });
    execFileSync("git", ["-C", directory, "add", "outer-name"], { env: plainEnv() });
    rmSync(join(workspace, ".git"), { recursive: true });
    for (const text of ["git status", "git diff", "git diff --cached", "git log"]) {
      const { exitCode, stdout } = run(text);
      expect(exitCode).not.toBe(0);
      expect(stdout).not.toContain("outer-name");
    }
  });

  it("and never compares two words as files outside of a repository", () => {
    const { exitCode, stderr } = run("git diff a.txt packages/core/x.ts");
    expect(exitCode).toBe(128);
    expect(stderr).toContain("bad revision");
  });

  it("takes a path for nothing but a path", () => {
    expect(run("git diff -- :/a.txt")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(run("git status -s -- :^a.txt").stdout).toBe("");
    expect(run("git diff --stat -- --output=x").exitCode).toBe(0);
    expect(readdirSync(workspace)).toEqual([".git", "a.txt", "packages", "Änderung.txt"]);
  });
});

describe("what is asked for is what comes", () => {
  it("names outside ASCII are given as they are", () => {
    writeFileSync(join(workspace, "Änderung.txt"), "two\n");
    expect(run("git status --porcelain").stdout).toBe(" M a.txt\n M Änderung.txt\n");
    expect(run("git diff --name-only -- Änderung.txt").stdout).toBe("Änderung.txt\n");
  });

  it("options, commits, ranges and paths do what they say", () => {
    expect(run("git log --oneline -n 1").stdout).toMatch(/^[0-9a-f]{7} second\n$/);
    expect(run("git log -1 --name-only").stdout).toContain("\na.txt\n");
    expect(run("git log --oneline v1..main").stdout.trim().split("\n")).toHaveLength(1);
    expect(run("git diff --numstat HEAD^ HEAD").stdout).toBe("1\t0\ta.txt\n");
    expect(run("git diff v1...HEAD --name-status").stdout).toBe("M\ta.txt\n");
    expect(run("git diff --stat -- packages").stdout).toBe("");
    expect(run("git diff --cached").stdout).toBe("");
    expect(run("git status -s -b").stdout).toBe("## main\n M a.txt\n");
    expect(run("git status -s packages/core").stdout).toBe("");
  });

  it("a status writes no index, so that it stands in nobody's way", () => {
    writeFileSync(join(workspace, ".git/index.lock"), "");
    expect(run("git status -s")).toMatchObject({ exitCode: 0, stdout: " M a.txt\n" });
    expect(run("git diff --name-only")).toMatchObject({ exitCode: 0, stdout: "a.txt\n" });
  });
});

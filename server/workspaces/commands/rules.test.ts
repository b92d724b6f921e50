import { describe, expect, it } from "vitest";
import { decideCommand } from "./rules";
import type { CommandAcceptance, CommandDecision, CommandRejection, ScriptsReading } from "./types";

const scripts: ScriptsReading = {
  status: "read",
  names: ["build", "typecheck", "test:unit", "__proto__", "constructor", "é", "a.ts"],
};

function decide(text: string, reading: ScriptsReading = scripts): CommandDecision {
  return decideCommand({ text, scripts: reading });
}

function accept(text: string, reading?: ScriptsReading): CommandAcceptance {
  const decision = decide(text, reading);
  if (decision.status === "rejected") throw new Error(`${text}: ${decision.message}`);
  return decision;
}

function rejectionOf(text: string, reading?: ScriptsReading): CommandRejection {
  const decision = decide(text, reading);
  if (decision.status === "accepted") throw new Error(`accepted: ${text}`);
  return decision;
}

describe("what is accepted is what was typed", () => {
  it.each([
    ["bun install", "bun", ["bun", "install"]],
    ["bun install --frozen-lockfile", "bun", ["bun", "install", "--frozen-lockfile"]],
    ["bun test", "bun", ["bun", "test"]],
    ["  bun   run  build ", "bun", ["bun", "run", "build"]],
    ["bun run test:unit", "bun", ["bun", "run", "test:unit"]],
    ["bun run é", "bun", ["bun", "run", "é"]],
    ["bun run a.ts", "bun", ["bun", "run", "a.ts"]],
    ["bunx tsc --noEmit", "bun", ["bunx", "tsc", "--noEmit"]],
    ["git status packages/core", "git", ["git", "status", "packages/core"]],
    ["git log -1", "git", ["git", "log", "-1"]],
    ["ls", "ls", ["ls"]],
    ["ls -la src/Änderung", "ls", ["ls", "-la", "src/Änderung"]],
  ])("%s", (text, family, argv) => {
    expect(accept(text)).toMatchObject({ family, argv, isExclusive: family === "bun" });
  });

  it.each([
    "git status",
    "git status -s -b --short --branch --porcelain",
    "git status -s -- src a.ts",
    "git diff",
    "git diff --stat --numstat --name-only --name-status --cached --staged -w",
    "git diff HEAD",
    "git diff HEAD^ HEAD",
    "git diff HEAD --stat",
    "git diff main..feature/x -- src README.md",
    "git diff v1.0...HEAD",
    "git diff 0123abc 89defab --",
    "git diff -- -la",
    "git log --oneline --stat --name-only -n 20 main..HEAD -- src",
    "git log -99999",
    "ls -a -l -1 -R . ./src src/ a//b",
    "ls -- -la",
  ])("%s is accepted", (text) => {
    expect(accept(text).argv).toEqual(text.split(" "));
  });

  it("runs bun with exactly the words that were decided on", () => {
    for (const text of ["bun install", "bun install --frozen-lockfile", "bun test", "bun run build"]) {
      expect(accept(text).execution).toEqual({ argv: text.split(" "), env: {}, requiredPath: null });
    }
  });

  it("runs the workspace's own compiler by its path, and never bunx, which could fetch another tsc", () => {
    const { execution } = accept("bunx tsc --noEmit");
    expect(execution.argv).toEqual(["bun", "--no-install", "./node_modules/.bin/tsc", "--noEmit"]);
    expect(execution.requiredPath).toBe("node_modules/.bin/tsc");
  });

  it("closes the options of ls before its paths", () => {
    expect(accept("ls src -la").execution.argv).toEqual(["ls", "-la", "--", "src"]);
    expect(accept("ls -- -la").execution.argv).toEqual(["ls", "--", "-la"]);
  });
});

describe("a character that a shell would act on rejects the whole command and is named", () => {
  it.each([
    ["git status && rm -rf src", "`&&` at character 12"],
    ["ls; bun x cowsay", "`;` at character 3"],
    ["git log | sh", "`|` at character 9"],
    ["git status & rm -rf src", "`&` at character 12"],
    ["git status\nrm -rf src", "a line feed at character 11"],
    ["bun test; id", "`;` at character 9"],
    ["bun test || id", "`||` at character 10"],
    ["bun test $(id)", "`$(` at character 10"],
    ["bun test ${HOME}", "`${` at character 10"],
    ["ls $HOME", "`$` at character 4"],
    ["bun test `id`", "``` at character 10"],
    ["ls > x", "`>` at character 4"],
    ["ls >> x", "`>>` at character 4"],
    ["ls < x", "`<` at character 4"],
    ["ls << x", "`<<` at character 4"],
    ["ls ~", "`~` at character 4"],
    ["ls *", "`*` at character 4"],
    ["ls ?", "`?` at character 4"],
    ["ls [a]", "`[` at character 4"],
    ["ls {a,b}", "`{` at character 4"],
    ["ls (a)", "`(` at character 4"],
    ["ls !a", "`!` at character 4"],
    ["ls a\\", "`\\` at character 5"],
    ["bun run 'build'", "`'` at character 9"],
    ['bun run "build"', '`"` at character 9'],
    ["git diff HEAD~1", "`~` at character 14"],
    ["git diff HEAD@{1}", "`{` at character 15"],
    ["git status\r", "a carriage return at character 11"],
    ["git\tstatus", "a tab at character 4"],
    ["git status\0", "a NUL at character 11"],
    ["ls \u001b[31m", "an escape character at character 4"],
    ["git\u00a0status", "a no-break space at character 4"],
    ["git\u2003status", "U+2003 at character 4"],
    ["git\u3000status", "U+3000 at character 4"],
    ["git status\u2028", "U+2028 at character 11"],
    ["ls \u202egpj", "U+202E at character 4"],
    ["ls a\u200bb", "U+200B at character 5"],
    ["ls \ud800", "U+D800 at character 4"],
    ["ls 😀 ;", "`;` at character 6"],
  ])("%j", (text, place) => {
    const rejection = rejectionOf(text);
    expect(rejection.reason).toBe("character");
    expect(rejection.message).toContain(place);
  });
});

describe("what is not on the list is rejected, with the reason and the nearest form", () => {
  it.each([
    // Options are exact words: no abbreviation, no value, no cluster, none of another subcommand.
    ["git log --output=/tmp/x", "option"],
    ["git diff --output ../B/package.json", "option"],
    ["git diff --output=.git/hooks/pre-push", "option"],
    ["git diff --output=/home/agent/.gitconfig HEAD", "option"],
    ["git log --outp=../leak.txt -1", "option"],
    ["git diff --no-index /dev/null /etc/passwd", "option"],
    ["git diff --ext-diff", "option"],
    ["git diff --textconv", "option"],
    ["git log -p", "option"],
    ["git log -n5", "option"],
    ["git log -n -5", "option"],
    ["git log -n 0", "option"],
    ["git log -n 100000", "option"],
    ["git log -0", "option"],
    ["git log -n", "option"],
    ["git log -1e3", "option"],
    ["git status -sb", "option"],
    ["git status --sh", "option"],
    ["git status --porcelain=v2", "option"],
    ["git status -n 5", "option"],
    ["git diff -1", "option"],
    ["git diff --stat=200", "option"],
    ["git diff HEAD -O/etc/passwd", "option"],
    ["git log --end-of-options", "option"],
    ["ls -R /", "path"],
    ["ls --hyperlink", "option"],
    ["ls -al", "option"],
    ["ls -", "option"],
    // Nothing stands between git and its subcommand, and there are three.
    ["git -c alias.z=x z", "subcommand"],
    ["git -c core.fsmonitor=x status", "subcommand"],
    ["git -C /runs/B log", "subcommand"],
    ["git --git-dir=/srv/canon.git log", "subcommand"],
    ["git --work-tree=/ status", "subcommand"],
    ["git --exec-path=/tmp status", "subcommand"],
    ["git --config-env=a=b status", "subcommand"],
    ["git -p log", "subcommand"],
    ["git --paginate log", "subcommand"],
    ["git grep --op=x y", "subcommand"],
    ["git", "subcommand"],
    ["git Status", "subcommand"],
    ["git commit -m x", "subcommand"],
    // Paths stay inside.
    ["git diff -- ../../B", "path"],
    ["git status ../B", "path"],
    ["git status /etc", "path"],
    ["git log -- a/../../b", "path"],
    ["git diff -- .git/config", "path"],
    ["git diff -- .GIT/config", "path"],
    ["ls ../../B", "path"],
    ["ls /proc/1", "path"],
    ["ls .git", "path"],
    ["ls sub/.git/hooks", "path"],
    ["ls -- ..", "path"],
    // Commits are names and hashes.
    ["git diff /etc/hostname /etc/passwd", "commit"],
    ["git diff HEAD:../x", "commit"],
    ["git log @-1", "commit"],
    ["git log refs/heads/../../x", "commit"],
    ["git log a..b..c", "commit"],
    ["git log ..", "commit"],
    ["git log HEAD..", "commit"],
    ["git log A....B", "commit"],
    ["git log ^main", "commit"],
    ["git log HEAD^@", "commit"],
    ["git log x.lock", "commit"],
    ["git log .x", "commit"],
    ["git log a//b", "commit"],
    ["git log a/", "commit"],
    ["git log :/fix", "commit"],
    ["git log a b", "argument"],
    ["git diff a b c", "argument"],
    // bun takes nothing more.
    ["bun", "subcommand"],
    ["bun i", "subcommand"],
    ["bun build", "subcommand"],
    ["bun x cowsay", "subcommand"],
    ["bun a.ts", "subcommand"],
    ["bun --help", "subcommand"],
    ["bun add left-pad", "subcommand"],
    ["bun install left-pad", "argument"],
    ["bun install --cwd=../B", "argument"],
    ["bun install --frozen-lockfile --frozen-lockfile", "argument"],
    ["bun test src", "argument"],
    ["bun run", "script"],
    ["bun run --help", "script"],
    ["bun run -e", "script"],
    ["bun run --cwd=../B build", "script"],
    ["bun run --env-file=../B/.env build", "script"],
    ["bun run build --watch", "argument"],
    ["bun run ./a.ts", "script"],
    ["bun run /tmp/a.ts", "script"],
    ["bun run .", "script"],
    ["bun run toString", "script"],
    ["bun run hasOwnProperty", "script"],
    ["bun run index.ts", "script"],
    ["bunx", "argument"],
    ["bunx tsc", "argument"],
    ["bunx cowsay", "argument"],
    ["bunx tsc --noEmit -p x", "argument"],
    ["bunx --bun tsc --noEmit", "argument"],
    // Other programs.
    ["rm -rf src", "program"],
    ["sh -c id", "program"],
    ["/bin/ls", "program"],
    ["./ls", "program"],
    ["LS", "program"],
    ["PATH=/tmp git status", "program"],
    ["", "empty"],
    ["   ", "empty"],
  ])("%s", (text, reason) => {
    expect(rejectionOf(text).reason).toBe(reason);
  });

  it.each([
    ["git status -sb", "`git status` does not take `-sb` here"],
    ["git log --online", "Did you mean `--oneline`?"],
    ["git diff src/ -w", "`git diff -- src/`"],
    ["git commit -m x", "completeTask"],
    ["gti status", "Did you mean `git`?"],
    ["bun tests", "Did you mean `bun test`?"],
    ["bun build", "`bun run build`"],
    ["bun run biuld", "Did you mean `bun run build`?"],
    ["npm ci", "`bun install`"],
    ["npm test", "`bun test`"],
    ["npm run build", "`bun run <name>`"],
    ["npx tsc", "`bunx tsc --noEmit`"],
    ["cat README.md", "read_file"],
    ["ls -al", "Did you mean `-la`?"],
    ["toString x", "`toString` is not among the commands."],
  ])("%s teaches: %s", (text, words) => {
    expect(rejectionOf(text).message).toContain(words);
  });

  it("says that a command is too long, however long it is", () => {
    expect(rejectionOf(`ls ${"a".repeat(16_400)}`).reason).toBe("too_long");
    expect(rejectionOf("&".repeat(1_000_000)).reason).toBe("too_long");
    expect(accept(`ls ${"a/".repeat(2_000)}`).family).toBe("ls");
  });

  it("lists every allowed form in every rejection, the scripts by their names", () => {
    for (const text of ["rm", "ls;", "", "git log -p", "bun run x"]) {
      const { allowed } = rejectionOf(text);
      expect(allowed).toEqual(
        expect.arrayContaining([
          "bun install",
          "bun test",
          "bun run build",
          "bun run __proto__",
          "bunx tsc --noEmit",
        ]),
      );
      expect(allowed.some((form) => form.startsWith("git log"))).toBe(true);
    }
  });

  it("keeps the list and the message short, however many and long the scripts are", () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `script-${index}`).concat("x".repeat(10_000));
    const rejection = rejectionOf("bun run nothing", { status: "read", names });
    expect(rejection.allowed.length).toBeLessThan(120);
    expect(rejection.allowed.join("")).toContain("4901 more scripts");
    expect(rejection.message.length).toBeLessThan(1_000);
    expect(rejectionOf(`bun run ${"y".repeat(10_000)}`).message.length).toBeLessThan(1_000);
  });
});

describe("scripts are own keys of package.json", () => {
  it("runs a script that is called as an object's own members are", () => {
    expect(accept("bun run __proto__").argv).toEqual(["bun", "run", "__proto__"]);
    expect(accept("bun run constructor").argv).toEqual(["bun", "run", "constructor"]);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "does not know %s when it is not written",
    (name) => {
      expect(rejectionOf(`bun run ${name}`, { status: "read", names: ["build"] }).reason).toBe("script");
    },
  );

  it.each([
    ["absent", "There is no package.json"],
    ["unreadable", "no regular file"],
    ["too_large", "larger than 1 MiB"],
    ["not_json", "no JSON object"],
  ] as const)("says that package.json is %s", (status, words) => {
    const rejection = rejectionOf("bun run build", { status });
    expect(rejection).toMatchObject({ reason: "script" });
    expect(rejection.message).toContain(words);
    expect(rejection.allowed.join("\n")).toContain(words);
    expect(accept("bun install", { status }).argv).toEqual(["bun", "install"]);
  });

  it("asks for the scripts only where they decide, so that nothing is woken for a rejection", () => {
    const unread: ScriptsReading = { status: "unread" };
    expect(rejectionOf("bun run build", unread).reason).toBe("scripts_unread");
    expect(rejectionOf("bun run --help", unread).reason).toBe("script");
    expect(rejectionOf("git status && rm -rf src", unread).reason).toBe("character");
    expect(accept("git status", unread).family).toBe("git");
  });
});

/** The boundary is one tokenizer: if these fail, what was judged and what runs could come apart. */
describe("any text at all", () => {
  const harmless = (
    "bun install test run bunx tsc --noEmit git status diff log ls -s -la -n 5 -1 -- HEAD HEAD^ a..b a/b .. ../x /x" +
    " .git build --frozen-lockfile é 😀"
  ).split(" ");
  const pieces = [
    ...harmless,
    ..."$;&|<>(){}[]*?~!`'\"\\".split(""),
    ..."\n\r\t\0\u00a0\u2003\u202e\ud800",
    ...Array.from({ length: 4 }, () => " "),
  ];
  const metacharacters = /[$;&|<>(){}[\]*?~!`'"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

  it("never throws, and what is accepted holds no metacharacter and decides to the same argv again", () => {
    const seed = 20_261_130;
    const random = createRandom(seed);
    let acceptedCount = 0;
    for (let round = 0; round < 30_000; round++) {
      const length = 1 + Math.floor(random() * 10);
      const from = round % 2 === 0 ? harmless : pieces;
      const text = Array.from({ length }, () => from[Math.floor(random() * from.length)] ?? "").join(
        random() < 0.8 ? " " : "",
      );
      const decision = decide(text);
      if (decision.status === "rejected") continue;
      acceptedCount++;
      expect(decision.argv.join(" "), `seed ${seed}`).not.toMatch(metacharacters);
      expect(decision.argv).toEqual(text.split(" ").filter((word) => word !== ""));
      expect(decide(decision.argv.join(" "))).toEqual(decision);
      for (const word of decision.argv.slice(2)) expect(decision.execution.argv.concat("--")).toContain(word);
    }
    expect(acceptedCount).toBeGreaterThan(100);
  });

  it("never throws for random characters", () => {
    const random = createRandom(7);
    for (let round = 0; round < 8_000; round++) {
      const length = Math.floor(random() * 40);
      const text = Array.from({ length }, () => String.fromCharCode(Math.floor(random() * 0x10000))).join("");
      expect(decide(text).status).toBe("rejected");
    }
  });

  function createRandom(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
  }
});

import type { DiffFile } from "../../git/types";
import type { Finding, HighlightReason } from "./types";

interface PathRule {
  reason: HighlightReason;
  pattern: RegExp;
  detail: string;
}

/** Matched against the path in lower case. */
const pathRules: readonly PathRule[] = [
  {
    reason: "ci",
    pattern:
      /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|^\.circleci\/|^\.buildkite\/|^\.woodpecker|(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.gitlab-ci\/.*|\.travis\.yml|\.drone\.ya?ml|jenkinsfile|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml)$/,
    detail: "Runs on the machines of the continuous integration.",
  },
  {
    reason: "code_owners",
    pattern: /^(?:\.github\/|\.gitlab\/|docs\/)?codeowners$/,
    detail: "Decides who must agree to a change.",
  },
  {
    reason: "git_attributes",
    pattern: /(?:^|\/)\.gitattributes$/,
    detail: "Decides how git stores, merges and shows other files.",
  },
  { reason: "git_modules", pattern: /^\.gitmodules$/, detail: "Decides where submodules come from." },
  {
    reason: "container",
    pattern:
      /(?:^|\/)(?:(?:dockerfile|containerfile)(?:\.[^/]+)?|[^/]+\.(?:dockerfile|containerfile)|(?:docker-)?compose(?:\.[^/]+)?\.ya?ml|\.dockerignore)$/,
    detail: "Decides what a container holds and may do.",
  },
  {
    reason: "lock_file",
    pattern:
      /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|go\.sum|flake\.lock|gradle\.lockfile)$/,
    detail: "Decides which exact packages are installed.",
  },
  {
    reason: "migration",
    pattern: /(?:^|\/)(?:migrations?|migrate|alembic)\/|\.sql$/,
    detail: "May change the database.",
  },
  {
    reason: "auth",
    pattern:
      /(?:^|[/._-])(?:auth|authn|authz|oauth2?|oidc|saml|sso|login|logout|sign-?in|sign-?up|sessions?|passwords?|passwd|credentials?|secrets?|tokens?|jwt|permissions?|policy|policies|acl|rbac|access|csrf|cors|crypto|encryption|security)(?=[/._-]|$)|(?:^|\/)\.env(?:\.|$)|(?:authentication|authorization)/,
    detail: "By its name it decides who may do what.",
  },
];

/** Tests by the customs of common languages. In lower case. */
const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|(?:^|\/)test_[^/]+\.py$|[._-](?:test|tests|spec|specs|e2e)\.[a-z0-9]+$/;

const largeDeletionLines = 200;

export function isTestPath(path: string): boolean {
  return testPath.test(path.toLowerCase());
}

export function isLockFile(path: string): boolean {
  return pathRules.some(({ reason, pattern }) => reason === "lock_file" && pattern.test(path.toLowerCase()));
}

/** What can be said of a file without its content. A renamed file is judged under both of its names. */
export function findingsOfFile(file: DiffFile): Finding[] {
  return [...findingsOfPath(file), ...findingsOfSides(file), ...findingsOfFlags(file)];
}

function findingsOfPath(file: DiffFile): Finding[] {
  const names = [...new Set([file.displayPath.toLowerCase(), file.oldDisplayPath.toLowerCase()])];
  const found = pathRules
    .filter(({ pattern }) => names.some((name) => pattern.test(name)))
    .map(({ reason, detail }) => finding(reason, detail));
  if (file.status === "deleted" && isTestPath(file.displayPath))
    found.push(finding("deleted_test", "A test was deleted."));
  if (file.status === "renamed" && isTestPath(file.oldDisplayPath) && !isTestPath(file.displayPath))
    found.push(finding("deleted_test", `${file.oldDisplayPath} was renamed so that it is no test any more.`));
  return found;
}

function findingsOfSides(file: DiffFile): Finding[] {
  const found: Finding[] = [];
  if (file.kind === "submodule" || file.old?.mode === "160000") {
    const [from, to] = [file.old, file.new].map((side) =>
      side?.mode === "160000" ? side.objectId.slice(0, 12) : "none",
    );
    found.push(finding("submodule", `The commit of a submodule: ${from} → ${to}.`));
  }
  if (file.kind === "binary" && file.status === "added")
    found.push(finding("binary_added", `${file.new?.sizeBytes ?? 0} bytes that no diff can show.`));
  const { insertions, deletions } = file;
  if (deletions !== null && deletions >= largeDeletionLines && deletions >= 4 * (insertions ?? 0))
    found.push(finding("large_deletion", `${deletions} lines were deleted.`));
  return found;
}

function findingsOfFlags({ flags, old }: DiffFile): Finding[] {
  const found: Finding[] = [];
  if (flags.includes("became_executable"))
    found.push(
      finding("became_executable", old === null ? "Added as executable." : "It can be executed now."),
    );
  if (flags.includes("invisible_or_bidi"))
    found.push(
      finding("invisible_or_bidi", "Holds characters that cannot be seen or that turn the order of text."),
    );
  if (flags.includes("conflict_markers"))
    found.push(finding("conflict_markers", "Holds the marks of a merge that was not finished."));
  if (flags.includes("generated"))
    found.push(finding("generated", "Called generated by the base: its diff may be folded away."));
  return found;
}

function finding(reason: HighlightReason, detail: string): Finding {
  return { reason, line: null, detail };
}

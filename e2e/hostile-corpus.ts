import type { FileBytes } from "./proposals";

/** Code that must never run: it would leave this mark on the page, open a dialog, and ask another host. */
export const ranMark = "hostileScriptRan";
const script = `document.documentElement.dataset.${ranMark}='yes';alert(1)`;
const outside = "https://outside.invalid";

/** One line of everything that a page could take for its own. Titles hold no more than 200 characters. */
export const hostileTitle = `</title></script><script>${script}</script><img src=${outside} onerror=alert(1)> \u202Egnp.exe\u202C {{7*7}}`;

/** Lines that a page could take for markup, for Markdown, or for commands of a terminal. */
export const hostileText = [
  `<script>${script}</script>`,
  `<img src="${outside}/image" onerror="${script}"><iframe src="${outside}/frame"></iframe>`,
  `<svg onload="${script}"><a href="javascript:${script}">click</a></svg>`,
  `[a link](javascript:${script}) ![an image](${outside}/markdown.png) <${outside}>`,
  "${7*7} {{7*7}} <%= 7*7 %> &lt;b&gt; <!-- --> ]]>",
  "turned \u202Etxet\u202C and \u2066isolated\u2069, hidden\u200B\u200D\uFEFF characters, a return\rin a line",
  "__proto__ constructor toString",
].join("\n");

/** What a command of an agent may print: commands of a terminal, then words that have to be read as they are. */
export const hostileOutput = [
  "\u001b]0;a title\u0007\u001b[2J\u001b[H\u001b[3Jafter a cleared screen",
  `\u001b]8;;javascript:${script}\u001b\\a link to a script\u001b]8;;\u001b\\`,
  "\u001b]52;c;Y29weQ==\u0007after a copy",
  "\u001b[31mred\u001b[0m, then \u001b[8mconcealed\u001b[0m, then \u001b[999;999Hmoved",
  "overwritten by what follows\rshown instead",
  "\u001bP+q544e\u001b\\\u009b31m\u0090\u009d\u0085 controls of one byte",
  hostileText,
].join("\n");

/** Words of the output above that a person can read. */
export const readableOutput = [
  "after a cleared screen",
  "a link to a script",
  "after a copy",
  "concealed",
  "controls of one byte",
  `<script>${script}</script>`,
  "__proto__ constructor toString",
];

export interface HostileFile {
  path: string | Buffer;
  /** Undefined where the file is not there. */
  before?: string | Buffer;
  after?: string | Buffer;
  isLink?: boolean;
  /** How its name is written where hidden characters are boxed; the name itself where nothing hides in it. */
  shownName?: string;
  /** Added lines, as they are written where hidden characters are marked. */
  shownLines?: string[];
}

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const deepFolder = Array.from({ length: 40 }, (_, depth) => `folder-${depth}`).join("/");

/** Names, and how they are shown where that differs. */
const oddNames: [string | Buffer, string?][] = [
  [`<img src=x onerror=alert(1)>.txt`],
  [`"><script>alert(1)<`],
  [`"double" 'single' \`back\`.txt`],
  ["back\\slash\\n.txt"],
  ["new\nline.txt", "newU+000Aline.txt"],
  ["tab\tand return\r.txt", "tabU+0009and returnU+000D.txt"],
  [
    "\u001b[31mred\u001b]8;;javascript:alert(1)\u0007.txt",
    "U+001B[31mredU+001B]8;;javascript:alert(1)U+0007.txt",
  ],
  ["-rf"],
  ["--output=x"],
  ["__proto__"],
  ["constructor"],
  ["toString/hasOwnProperty/valueOf"],
  ["b/p b/p"],
  ["a trailing space ", "a trailing spaceU+0020"],
  [" a leading space", "U+0020a leading space"],
  ["..."],
  ["turned \u202Etxt.exe.js", "turned U+202Etxt.exe.js"],
  ["zero\u200Bwidth.js", "zeroU+200Bwidth.js"],
  ["zerowidth.js"],
  ["cafe\u0301.txt"],
  ["caf\u00e9.txt"],
  ["${7*7} {{7*7}} %2e%2e%2f &lt;.txt"],
  ["javascript:alert(1)"],
  ["emoji \u{1F600} and \u5b57.txt"],
  [bytes("latin-\xe9.txt"), "latin-\uFFFD.txt"],
  [bytes("broken-\xff\xfe/\xed\xa0\x80.txt"), "broken-\uFFFD\uFFFD/\uFFFD\uFFFD\uFFFD.txt"],
  ["n".repeat(255)],
  [`${deepFolder}/file.txt`],
];

const oddContents: HostileFile[] = [
  {
    path: "markup.txt",
    before: "before\n",
    after: `${hostileText}\n`,
    shownLines: [
      ...hostileText.split("\n").slice(0, 5),
      "turned ⟦U+202E⟧txet⟦U+202C⟧ and ⟦U+2066⟧isolated⟦U+2069⟧, hidden⟦U+200B⟧⟦U+200D⟧⟦U+FEFF⟧ characters, a return⟦U+000D⟧in a line",
    ],
  },
  { path: "page.html", after: `<!doctype html><body onload="${script}"><script>${script}</script>\n` },
  {
    path: "image.svg",
    before: "<svg/>\n",
    after: `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>\n`,
  },
  {
    path: "patch-like.txt",
    before: "--- a/x\n-- b\n\\ No newline at end of file\n",
    after: "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\nGIT binary patch\nliteral 0",
    shownLines: [
      "diff --git a/x b/x",
      "+++ b/x",
      "@@ -1 +1 @@",
      "-old",
      "+new",
      "GIT binary patch",
      "literal 0",
    ],
  },
  {
    path: "conflict.txt",
    before: "one\ntwo\n",
    after: "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n",
  },
  {
    path: "trojan.js",
    before: "if (isAdmin) allow();\n",
    after: "/*\u202E } \u2066if (isAdmin)\u2069 \u2066 begin admins only */ allow();\n",
    shownLines: ["/*⟦U+202E⟧ } ⟦U+2066⟧if (isAdmin)⟦U+2069⟧ ⟦U+2066⟧ begin admins only */ allow();"],
  },
  {
    path: "separators.txt",
    before: "one\ntwo\nthree\n",
    after: "one\u2028still one\u2029still\u0085still\u000bstill\fone\ntwo\nthree\n",
    shownLines: ["one⟦U+2028⟧still one⟦U+2029⟧still⟦U+0085⟧still⟦U+000B⟧still\fone"],
  },
  { path: "terminal.txt", before: "before\n", after: `${hostileOutput.slice(0, 300)}\n` },
  {
    path: "latin-1.txt",
    before: bytes("caf\xe9\n"),
    after: bytes("caf\xe9 ol\xe9\n"),
    shownLines: ["caf\xe9 ol\xe9"],
  },
  {
    path: "utf-16.txt",
    before: Buffer.from("\uFEFFbefore\r\n", "utf16le"),
    after: Buffer.from("\uFEFFafter <b>\r\n", "utf16le"),
  },
  { path: "broken-utf-8.txt", before: "text\n", after: bytes("text \xed\xa0\x80 \xff\xfe \xc0\x80\n") },
  { path: "line-ends.txt", before: "one\ntwo\n", after: "one\r\ntwo\r\n" },
  { path: "only-returns.txt", before: "one\rtwo\r", after: "one\rtwo\rthree\r" },
  { path: "bom.txt", before: "one\n", after: "\uFEFFone\n" },
  {
    path: "nul.txt",
    before: "a text\nof lines\n",
    after: "a text\nof \0 lines\n",
    shownLines: ["of ⟦U+0000⟧ lines"],
  },
  { path: "binary.dat", before: bytes("\0\x01\x02"), after: bytes("\0\x01\x02\xff\xfe\0\0") },
  { path: "no-end.txt", before: "one\ntwo\n", after: "one\ntwo" },
  { path: "empty.txt", after: "" },
  { path: "long-line.txt", before: "short\n", after: `${"<b>".repeat(34_000)}\n` },
  { path: ".gitattributes", before: "* text=auto\n", after: "* -diff linguist-generated\n*.js diff=evil\n" },
  { path: "link-to-passwd", after: "/etc/passwd", isLink: true },
  { path: "link-to-script", before: "nowhere", after: "javascript:alert(1)", isLink: true },
  { path: "gone <b>.txt", before: "gone\n" },
  { path: bytes("gone-\xe9.txt"), before: "gone\n" },
];

/** A ChangeSet of every kind of file that somebody could make to mislead a page. */
export const hostileFiles: HostileFile[] = [
  ...oddNames.map(([path, shownName], index) => {
    const file = { path, after: `content ${index}\n`, shownLines: [`content ${index}`] };
    return shownName === undefined ? file : { ...file, shownName };
  }),
  ...oddContents,
];

export function filesBefore(): FileBytes[] {
  return hostileFiles.flatMap(({ path, before, isLink }) => toFile(path, before, isLink));
}

export function filesAfter(): FileBytes[] {
  return hostileFiles.flatMap(({ path, after, isLink }) => toFile(path, after, isLink));
}

export function pathsGone(): (string | Buffer)[] {
  return hostileFiles.filter(({ after }) => after === undefined).map(({ path }) => path);
}

function toFile(
  path: string | Buffer,
  content: string | Buffer | undefined,
  isLink: boolean | undefined,
): FileBytes[] {
  return content === undefined ? [] : [{ path, content, isLink: isLink === true }];
}

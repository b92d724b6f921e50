import { expect, test } from "vitest";
import { debianMirrorOf, parseDeb822Sources, parseLinuxRelease, parseOneLineSources } from "./apt";

test("one-line sources are read with and without options, and comments and source lines are left out", () => {
  const sources = parseOneLineSources(`
# deb http://off.test/debian bookworm main
deb-src http://mirror.test/debian bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] https://mirror.test/debian/ bookworm main contrib # ours
deb http://security.test/debian-security bookworm-security main
`);
  expect(sources).toEqual([
    {
      uri: "https://mirror.test/debian/",
      suites: ["bookworm"],
      components: ["main", "contrib"],
      signedBy: "/usr/share/keyrings/a.gpg",
    },
    {
      uri: "http://security.test/debian-security",
      suites: ["bookworm-security"],
      components: ["main"],
      signedBy: null,
    },
  ]);
});

test("deb822 sources are read with comments, folded fields, several addresses and disabled paragraphs", () => {
  const sources = parseDeb822Sources(`Types: deb
# a comment between fields
URIs: http://one.test/debian
 http://two.test/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian.gpg

Types: deb
URIs: http://off.test/debian
Suites: bookworm
Components: main
Enabled: no

Types: deb-src
URIs: http://source.test/debian
Suites: bookworm
Components: main
`);
  expect(sources.map(({ uri }) => uri)).toEqual(["http://one.test/debian", "http://two.test/debian"]);
  expect(sources[0]).toMatchObject({
    suites: ["bookworm", "bookworm-updates"],
    signedBy: "/usr/share/keyrings/debian.gpg",
  });
});

test("the mirror is this machine's own for Debian's main archive, never the one for security or for Ubuntu", () => {
  const source = (uri: string, suite: string): ReturnType<typeof parseOneLineSources>[number] => ({
    uri,
    suites: [suite],
    components: ["main"],
    signedBy: null,
  });
  expect(
    debianMirrorOf([
      source("http://m.test/debian-security", "bookworm-security"),
      source("cdrom:x", "bookworm"),
      source("http://m.test/debian/", "bookworm"),
    ]),
  ).toBe("http://m.test/debian");
  expect(debianMirrorOf([source("http://archive.test/ubuntu", "noble")])).toBe(
    "http://deb.debian.org/debian",
  );
});

test("children of Debian and Ubuntu are told by what they say they are like", () => {
  expect(parseLinuxRelease('PRETTY_NAME="Debian 12"\nID=debian\nVERSION_CODENAME=bookworm\n')).toEqual({
    id: "debian",
    codename: "bookworm",
    isDebianLike: true,
  });
  expect(parseLinuxRelease('ID=linuxmint\nID_LIKE="ubuntu debian"\n').isDebianLike).toBe(true);
  expect(parseLinuxRelease("ID=fedora\n")).toEqual({ id: "fedora", codename: "", isDebianLike: false });
});

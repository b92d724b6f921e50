const escapes: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
  '"': 0x22,
  "\\": 0x5c,
};

/** Reads a path as git prints it on a line of its own: in quotes, as in C, when it holds quotes, backslashes or controls. */
export function readQuotedPath(line: string): string {
  if (!line.startsWith('"') || !line.endsWith('"') || line.length < 2) return line;
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain] of line.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gsu)) {
    if (octal !== undefined) bytes.push(Buffer.of(Number.parseInt(octal, 8)));
    else if (letter !== undefined) bytes.push(Buffer.of(escapes[letter] ?? 0));
    else bytes.push(Buffer.from(plain ?? ""));
  }
  return Buffer.concat(bytes).toString("utf8");
}

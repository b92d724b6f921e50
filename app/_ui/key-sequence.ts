/** What is read of a key press. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const pauseMaxMs = 1_000;

export interface TypedKeys {
  keys: readonly string[];
  atMs: number;
}

export const nothingTyped: TypedKeys = { keys: [], atMs: 0 };

/**
 * The name of a press as shortcuts are written: `j`, `?`, `shift+j`, `mod+enter`, `escape`. A sign that needs shift is
 * written as the sign; a letter with shift as `shift+` and the letter. `mod` is control or command.
 */
export function nameOfPress(press: KeyPress): string {
  const isLetter = /^\p{L}$/u.test(press.key);
  const parts = [];
  if (press.ctrlKey || press.metaKey) parts.push("mod");
  if (press.altKey) parts.push("alt");
  if (press.shiftKey && (isLetter || press.key.length > 1)) parts.push("shift");
  parts.push(press.key === " " ? "space" : press.key.toLowerCase());
  return parts.join("+");
}

/** Adds a press to what was typed; a pause starts anew. */
export function addPress(typed: TypedKeys, press: KeyPress, nowMs: number): TypedKeys {
  const before = nowMs - typed.atMs > pauseMaxMs ? [] : typed.keys;
  return { keys: [...before, nameOfPress(press)].slice(-2), atMs: nowMs };
}

/** Whether what was typed ends with these keys, written with spaces between: `g h`. Longer ones are to be asked first. */
export function endsWithKeys(typed: TypedKeys, keys: string): boolean {
  const wanted = keys.toLowerCase().split(" ");
  const tail = typed.keys.slice(-wanted.length);
  return tail.length === wanted.length && tail.every((key, index) => key === wanted[index]);
}

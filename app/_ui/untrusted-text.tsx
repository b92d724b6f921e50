import { cn } from "./class-names";
import { splitHiddenCharacters } from "./hidden-characters";

interface UntrustedTextProps {
  text: string;
  /** Keeps line ends and runs of spaces. */
  multiline?: boolean;
  /** A name of a file or folder: spaces at its ends and tabs are boxed too. */
  isName?: boolean;
  className?: string;
}

/**
 * Text that an agent, a repository or a log wrote. Characters that hide or turn text are shown as boxed code points, and
 * its direction never reaches what stands beside it. A word of any length breaks where the space ends.
 */
export function UntrustedText({ text, multiline = false, isName = false, className }: UntrustedTextProps) {
  const parts = splitHiddenCharacters(text, isName ? "name" : multiline ? "lines" : "line");
  return (
    <bdi dir="auto" className={cn("wrap-anywhere", multiline && "block whitespace-pre-wrap", className)}>
      {parts.map((part, index) =>
        part.kind === "text" ? part.text : <HiddenMark key={index} codePoint={part.codePoint} />,
      )}
    </bdi>
  );
}

function HiddenMark({ codePoint }: { codePoint: string }) {
  return (
    <span
      dir="ltr"
      title="A character that cannot be seen"
      className="mx-px inline-block rounded-sm border border-warn bg-warn-soft px-0.5 font-mono text-[0.75em] leading-none text-warn [unicode-bidi:isolate]"
    >
      {codePoint}
    </span>
  );
}

import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { Thread } from "./types";

/** The lines that a thread was opened on, as they were then. */
export function ThreadCode({ thread }: { thread: Thread }) {
  const { anchor, code } = thread;
  if (anchor === null || !("side" in anchor) || code === null) return null;
  const first = anchor.startLine - code.before.length;
  const rows = [
    ...code.before.map((text) => ({ text, isMeant: false })),
    ...code.lines.map((text) => ({ text, isMeant: true })),
    ...code.after.map((text) => ({ text, isMeant: false })),
  ];
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-sunken">
      <figcaption className="border-b border-line px-2 py-0.5 text-xs text-muted">
        The lines in version {thread.version}
      </figcaption>
      <div className="overflow-x-auto py-1 font-mono text-xs" tabIndex={0} role="region" aria-label="Code">
        {rows.map(({ text, isMeant }, index) => (
          <div key={index} className={isMeant ? "flex bg-accent-soft" : "flex text-muted"}>
            <span className="w-12 shrink-0 pr-2 text-right text-muted select-none">{first + index}</span>
            <span className="pr-2 whitespace-pre">
              <UntrustedText text={text === "" ? " " : text} />
            </span>
          </div>
        ))}
      </div>
    </figure>
  );
}

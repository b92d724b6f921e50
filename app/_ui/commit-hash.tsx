import { CopyButton } from "./copy-button";

/** A commit by the start of its hash; the whole of it on hover and by the button. */
export function CommitHash({ commit }: { commit: string }) {
  return (
    <span className="inline-flex items-center">
      <code title={commit} className="font-mono text-[0.92em]">
        {commit.slice(0, 10)}
      </code>
      <CopyButton text={commit} label="Copy the whole hash" />
    </span>
  );
}

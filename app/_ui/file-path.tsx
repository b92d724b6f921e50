import { cn } from "./class-names";
import { UntrustedText } from "./untrusted-text";

interface FilePathProps {
  path: string;
  className?: string;
}

/** A path in a repository, its folders quieter than its name. It breaks anywhere rather than leave its place. */
export function FilePath({ path, className }: FilePathProps) {
  const nameStart = path.lastIndexOf("/", path.length - 2) + 1;
  return (
    <bdi className={cn("font-mono text-[0.92em] wrap-anywhere", className)} dir="ltr">
      {nameStart === 0 ? null : (
        <UntrustedText isName text={path.slice(0, nameStart)} className="text-muted" />
      )}
      <UntrustedText isName text={path.slice(nameStart)} />
    </bdi>
  );
}

interface DiffStatProps {
  insertions: number;
  deletions: number;
  filesChanged?: number;
}

export function DiffStat({ insertions, deletions, filesChanged }: DiffStatProps) {
  return (
    <span className="inline-flex items-baseline gap-1.5 text-xs whitespace-nowrap tabular-nums">
      <span className="text-good">
        +{insertions.toLocaleString("en-US")}
        <span className="sr-only"> lines added,</span>
      </span>
      <span className="text-bad">
        −{deletions.toLocaleString("en-US")}
        <span className="sr-only"> lines removed</span>
      </span>
      {filesChanged === undefined ? null : (
        <span className="text-muted">
          {filesChanged.toLocaleString("en-US")} {filesChanged === 1 ? "file" : "files"}
        </span>
      )}
    </span>
  );
}

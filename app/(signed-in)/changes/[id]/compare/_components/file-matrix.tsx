"use client";

import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { cn } from "@/app/_ui/class-names";
import { DiffStat } from "@/app/_ui/diff-stat";
import { FilePath } from "@/app/_ui/file-path";
import type { Label } from "../../_rules/comparable";

type ComparedFile = inferRouterOutputs<AppRouter>["changeSet"]["compare"]["files"][number];
type FileSide = NonNullable<ComparedFile["sides"][number]>;

interface FileMatrixProps {
  files: readonly ComparedFile[];
  labels: readonly Label[];
  chosen: string | null;
  onChoose: (path: string) => void;
}

/** In which attempts each file changed, and how much. */
export function FileMatrix({ files, labels, chosen, onChoose }: FileMatrixProps) {
  return (
    <div
      className="max-h-96 overflow-auto"
      tabIndex={0}
      role="region"
      aria-label="Files and the attempts that change them"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="text-left text-xs text-muted">
            <th scope="col" className="sticky top-0 bg-surface px-3 py-1.5 font-normal">
              File
            </th>
            {labels.map(({ name }) => (
              <th key={name} scope="col" className="sticky top-0 bg-surface px-3 py-1.5 font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {files.map((file) => (
            <tr key={file.path} className={cn(file.path === chosen && "bg-sunken")}>
              <th scope="row" className="px-3 py-1 text-left font-normal">
                <button
                  type="button"
                  aria-pressed={file.path === chosen}
                  onClick={() => onChoose(file.path)}
                  className="text-left wrap-anywhere hover:underline"
                >
                  <FilePath path={file.displayPath} />
                </button>
              </th>
              {file.sides.map((side, place) => (
                <td key={place} className="px-3 py-1 text-xs whitespace-nowrap">
                  {side === null ? <span className="text-muted">unchanged</span> : <Side side={side} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Side({ side }: { side: FileSide }) {
  const { status, insertions, deletions } = side;
  return (
    <span className="inline-flex items-center gap-2">
      <span className="text-muted">{status.replaceAll("_", " ")}</span>
      {insertions === null || deletions === null ? null : (
        <DiffStat insertions={insertions} deletions={deletions} />
      )}
    </span>
  );
}
